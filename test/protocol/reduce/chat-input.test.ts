import { describe } from 'vitest';
import { reduceChat } from '../../../src/protocol/reduce/chat.ts';
import type {
  ChatInputAnswer,
  ChatInputAnswers,
  ChatInputRequest,
  ChatInputResponse,
  ResponsePart,
} from '../../../src/protocol/state-chat.ts';
import { call, idle, markdown, running } from '../../support/chat-states.ts';
import { itReduces } from '../../support/reduce-rows.ts';

const yes: ChatInputAnswer = { state: 'draft', value: { kind: 'boolean', value: true } };
const no: ChatInputAnswer = { state: 'submitted', value: { kind: 'boolean', value: false } };
const request = (id: string, answers?: ChatInputAnswers, message = 'Sure?'): ChatInputRequest => ({
  id,
  message,
  ...(answers && { answers }),
});
const asked = (of: ChatInputRequest, response?: ChatInputResponse): ResponsePart => ({
  kind: 'inputRequest',
  request: of,
  ...(response && { response }),
});
const ask = (of: ChatInputRequest) => ({ type: 'chat/inputRequested', request: of }) as const;
const draft = (requestId: string, questionId: string, answer?: ChatInputAnswer) =>
  ({ type: 'chat/inputAnswerChanged', requestId, questionId, ...(answer && { answer }) }) as const;
const settle = (requestId: string, response: ChatInputResponse, answers?: ChatInputAnswers) =>
  ({ type: 'chat/inputCompleted', requestId, response, ...(answers && { answers }) }) as const;

describe('input requests (SHAPES 14.3, EL-1 to EL-6)', () => {
  itReduces(reduceChat, [
    [
      'chat/inputRequested appends, raises InputNeeded, clears IsRead and leaves modifiedAt',
      running([markdown('m')], 8 + 32 + 64),
      [ask(request('q'))],
      running([markdown('m'), asked(request('q'))], 24 + 64),
    ],
    [
      'the same open request is replaced in place, keeps its answers and clears IsRead',
      running([asked(request('q', { a: yes })), markdown('m')], 24 + 32),
      [ask(request('q', undefined, 'Really?'))],
      running([asked(request('q', { a: yes }, 'Really?')), markdown('m')], 24),
    ],
    [
      'the same open request takes answers that it brings',
      running([asked(request('q', { a: yes }))], 24),
      [ask(request('q', { b: no }))],
      running([asked(request('q', { b: no }))], 24),
    ],
    [
      'a closed request of the same id stays and the new one is appended',
      running([asked(request('q'), 'cancel')]),
      [ask(request('q'))],
      running([asked(request('q'), 'cancel'), asked(request('q'))], 24),
    ],
    ['chat/inputRequested outside a turn is no change (EL-8)', idle, [ask(request('q'))], 'same'],
    [
      'chat/inputAnswerChanged adds and replaces answers',
      running([asked(request('q', { a: yes }))], 24),
      [draft('q', 'a', no), draft('q', 'b', yes)],
      running([asked(request('q', { a: no, b: yes }))], 24),
    ],
    [
      'chat/inputAnswerChanged without an answer deletes it; the emptied map is absent',
      running([asked(request('q', { a: yes }))], 24),
      [draft('q', 'a')],
      running([asked(request('q'))], 24),
    ],
    [
      'deleting an answer that is not there is no change',
      running([asked(request('q'))], 24),
      [draft('q', 'a')],
      'same',
    ],
    [
      'an answer to a closed or unknown request is no change',
      running([asked(request('q'), 'accept')]),
      [draft('q', 'a', yes), draft('z', 'a', yes)],
      'same',
    ],
    ['an answer outside a turn is no change', idle, [draft('q', 'a', yes)], 'same'],
    [
      'chat/inputCompleted lays its answers over the drafts, keeps the place and leaves InputNeeded (EL-3)',
      running([asked(request('q', { a: yes, b: yes })), markdown('m')], 24 + 32),
      [settle('q', 'accept', { b: no })],
      running([asked(request('q', { a: yes, b: no }), 'accept'), markdown('m')], 8 + 32),
    ],
    [
      'chat/inputCompleted without any answer has no such key',
      running([asked(request('q', {}))], 24),
      [settle('q', 'decline', {})],
      running([asked(request('q'), 'decline')]),
    ],
    [
      'another open block keeps InputNeeded (EL-5)',
      running([asked(request('q')), call({ status: 'pending-confirmation', invocationMessage: 'x' })], 24),
      [settle('q', 'cancel')],
      running(
        [asked(request('q'), 'cancel'), call({ status: 'pending-confirmation', invocationMessage: 'x' })],
        24,
      ),
    ],
    [
      'completing a closed or unknown request is no change',
      running([asked(request('q'), 'accept')]),
      [settle('q', 'cancel'), settle('z', 'cancel')],
      'same',
    ],
    ['completing outside a turn is no change', idle, [settle('q', 'cancel')], 'same'],
  ]);
});
