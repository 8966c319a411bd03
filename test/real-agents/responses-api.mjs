// The part of the OpenAI Responses API that codex uses: one streamed answer a request.
import { setTimeout as pause } from 'node:timers/promises';
import { answerTo } from './directives.mjs';

const PIECE_PAUSE = 15;
const USAGE = {
  input_tokens: 25,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 17,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 42,
};
let serial = 0;
const newId = (kind) => `${kind}_${String(++serial).padStart(6, '0')}`;

const textOf = ({ content }) =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('\n');

/** The newest prompt and the results of the tool calls after it. */
function position(input) {
  const index = input.findLastIndex(
    // The surroundings and the instructions come as user items too.
    (item) => item.role === 'user' && !/^\s*(<\w|# AGENTS\.md)/.test(textOf(item)),
  );
  const results = input
    .slice(index + 1)
    .filter(({ type }) => type === 'function_call_output')
    .map(({ output }) => (typeof output === 'string' ? output : JSON.stringify(output)));
  return { text: index < 0 ? '' : textOf(input[index]), results };
}

/** Answers `POST /v1/responses`; a request without tools wants the session's title as JSON. */
export async function answerResponses(body, response) {
  const { model, input = [], tools = [] } = body;
  const { text, results } = position(input);
  const declared = tools.map(({ name }) => name).filter((name) => name !== undefined);
  const answer =
    declared.length === 0
      ? { pieces: [JSON.stringify({ title: 'Scripted title' })] }
      : answerTo(text, results, declared);

  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let sequence_number = 0;
  const send = (type, data) => {
    const event = { type, sequence_number: sequence_number++, ...data };
    response.write(`event: ${type}\ndata: ${JSON.stringify(event)}\n\n`);
  };
  const output = [];
  const done = (item) => {
    send('response.output_item.done', { output_index: output.length, item });
    output.push(item);
  };
  const head = { id: newId('resp'), object: 'response', created_at: 0, model };
  send('response.created', { response: { ...head, status: 'in_progress', output: [] } });
  if (answer.think !== undefined) {
    const id = newId('rs');
    const at = { item_id: id, output_index: output.length, summary_index: 0 };
    const summary = [{ type: 'summary_text', text: answer.think }];
    send('response.output_item.added', { output_index: 0, item: { type: 'reasoning', id, summary: [] } });
    send('response.reasoning_summary_part.added', { ...at, part: { type: 'summary_text', text: '' } });
    send('response.reasoning_summary_text.delta', { ...at, delta: answer.think });
    send('response.reasoning_summary_text.done', { ...at, text: answer.think });
    done({ type: 'reasoning', id, summary });
  }
  if (answer.call !== undefined) {
    const { name } = answer.call;
    // The tools of an MCP server stand in a space of their own.
    const space = tools.find((tool) => tool.tools?.some((inner) => inner.name === name));
    const item = {
      type: 'function_call',
      id: newId('fc'),
      call_id: newId('call'),
      ...(space && { namespace: space.name }),
      name,
      arguments: JSON.stringify(answer.call.input),
      status: 'completed',
    };
    send('response.output_item.added', { output_index: output.length, item });
    done(item);
  } else {
    const item = { type: 'message', id: newId('msg'), role: 'assistant' };
    const output_index = output.length;
    send('response.output_item.added', {
      output_index,
      item: { ...item, status: 'in_progress', content: [] },
    });
    for (const delta of answer.pieces) {
      send('response.output_text.delta', { item_id: item.id, output_index, content_index: 0, delta });
      await pause(PIECE_PAUSE);
    }
    // The agent closes the request when its turn is cancelled.
    if (answer.hang) return;
    const content = [{ type: 'output_text', text: answer.pieces.join(''), annotations: [] }];
    done({ ...item, status: 'completed', content });
  }
  send('response.completed', { response: { ...head, status: 'completed', output, usage: USAGE } });
  response.end();
}
