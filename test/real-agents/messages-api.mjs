// The part of the Anthropic Messages API that coding agents use: one streamed or whole answer a request.
import { setTimeout as pause } from 'node:timers/promises';
import { answerTo, isScript } from './directives.mjs';

const PIECE_PAUSE = 15;
const USAGE = {
  input_tokens: 25,
  output_tokens: 17,
  cache_read_input_tokens: 11,
  cache_creation_input_tokens: 7,
};
let serial = 0;
const newId = (kind) => `${kind}_${String(++serial).padStart(6, '0')}`;

const blocksOf = ({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content);
/** What an agent adds about itself is wrapped in a tag, and a cancelled turn leaves a note. */
const isOwn = ({ type, text }) =>
  type === 'text' && !/^\s*(<system-reminder>|\[Request interrupted)/.test(text);

/** The newest prompt and the results of the tool calls after it. */
function position(messages) {
  let prompt = { text: '', index: -1 };
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'user') continue;
    const blocks = blocksOf(message);
    const own = blocks.filter(isOwn).map(({ text }) => text);
    // A prompt can stand in one message with the results of calls that were interrupted before it.
    const answersCalls = blocks.some(({ type }) => type === 'tool_result');
    const text = own.findLast(isScript) ?? (answersCalls ? undefined : own.at(-1));
    if (text !== undefined) prompt = { text, index };
  }
  const results = messages
    .slice(prompt.index + 1)
    .flatMap(blocksOf)
    .filter(({ type }) => type === 'tool_result')
    .map(({ content }) =>
      blocksOf({ content: content ?? [] })
        .map(({ text = '' }) => text)
        .join('\n'),
    );
  return { text: prompt.text, results };
}

/** Answers `POST /v1/messages`; a request without tools wants a title or a summary and gets one word. */
export async function answerMessages(body, response) {
  const { model, messages, tools = [], stream = false } = body;
  const { text, results } = position(messages);
  const declared = tools.map(({ name }) => name);
  const answer = declared.length === 0 ? { pieces: ['Scripted'] } : answerTo(text, results, declared);
  const stop = answer.call === undefined ? 'end_turn' : 'tool_use';
  const head = {
    id: newId('msg'),
    type: 'message',
    role: 'assistant',
    model,
    stop_sequence: null,
    usage: USAGE,
  };
  if (!stream) {
    const content =
      answer.call === undefined
        ? [{ type: 'text', text: (answer.pieces ?? []).join('') }]
        : [{ type: 'tool_use', id: newId('toolu'), ...answer.call }];
    response.writeHead(200, { 'content-type': 'application/json' });
    return void response.end(JSON.stringify({ ...head, content, stop_reason: stop }));
  }

  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type, data) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send('message_start', { message: { ...head, content: [], stop_reason: null } });
  let index = 0;
  const block = async (content_block, deltas) => {
    send('content_block_start', { index, content_block });
    for (const delta of deltas) {
      send('content_block_delta', { index, delta });
      await pause(PIECE_PAUSE);
    }
    if (answer.hang && content_block.type === 'text') return;
    send('content_block_stop', { index });
    index += 1;
  };
  if (answer.think !== undefined) {
    await block({ type: 'thinking', thinking: '', signature: '' }, [
      ...answer.think.split(/(?<= )/).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: 'c2NyaXB0ZWQ=' },
    ]);
  }
  if (answer.call === undefined) {
    await block(
      { type: 'text', text: '' },
      answer.pieces.map((text) => ({ type: 'text_delta', text })),
    );
  } else {
    const { name, input } = answer.call;
    await block({ type: 'tool_use', id: newId('toolu'), name, input: {} }, [
      { type: 'input_json_delta', partial_json: JSON.stringify(input) },
    ]);
  }
  // The agent closes the request when its turn is cancelled.
  if (answer.hang) return;
  send('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage: USAGE });
  send('message_stop', {});
  response.end();
}
