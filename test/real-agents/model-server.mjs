#!/usr/bin/env node
// A model for real coding agents that needs no network: the part of the Anthropic Messages API they use, answering
// from directives in the prompt. Not a model and not a check of requests; what it does not know it answers with 404.
//
//   node model-server.mjs        listens on a free port of 127.0.0.1 and prints its address on one line
//
// The newest user text decides:
//   slow N TEXT     streams TEXT in N pieces, a little apart
//   hang            opens the stream and sends no text
//   anything else   "Echo: <text>", one piece a word
// A request without tools (a title, a summary) gets a fixed short text.
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const PIECE_PAUSE = 15;

/** The newest text a person wrote; what the agent adds about itself is wrapped in a tag. */
function newestText(messages) {
  const texts = messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content))
    .filter((block) => block.type === 'text' && !block.text.trimStart().startsWith('<system-reminder>'));
  return texts.at(-1)?.text.trim() ?? '';
}

/** The pieces to stream, or nothing for an answer that never comes. */
function answer({ tools = [], messages }) {
  if (tools.length === 0) return ['Scripted'];
  const text = newestText(messages);
  if (text === 'hang') return undefined;
  const [, count, words] = /^slow (\d+) ([\s\S]+)$/.exec(text) ?? [];
  if (words === undefined) return `Echo: ${text}`.split(/(?<= )/);
  const size = Math.ceil(words.length / Number(count));
  return Array.from({ length: Math.ceil(words.length / size) }, (_, n) =>
    words.slice(n * size, (n + 1) * size),
  );
}

const usage = { input_tokens: 1, output_tokens: 1 };
const message = (model, content, stop) => ({
  id: 'msg_scripted',
  type: 'message',
  role: 'assistant',
  model,
  content,
  stop_reason: stop,
  stop_sequence: null,
  usage,
});

async function stream(response, model, pieces) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type, data) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send('message_start', { message: message(model, [], null) });
  send('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
  // The agent closes the request when its turn is cancelled.
  if (pieces === undefined) return;
  for (const text of pieces) {
    send('content_block_delta', { index: 0, delta: { type: 'text_delta', text } });
    await pause(PIECE_PAUSE);
  }
  send('content_block_stop', { index: 0 });
  send('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage });
  send('message_stop', {});
  response.end();
}

const server = createServer(async (request, response) => {
  const reply = (status, value) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  };
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { pathname } = new URL(request.url, 'http://localhost');
  if (request.method === 'HEAD') return void response.writeHead(200).end();
  if (request.method !== 'POST' || !pathname.startsWith('/v1/messages')) {
    return reply(404, { type: 'error', error: { type: 'not_found_error', message: pathname } });
  }
  if (pathname === '/v1/messages/count_tokens') return reply(200, { input_tokens: 1 });
  const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  const pieces = answer(body);
  if (body.stream) return stream(response, body.model, pieces);
  const text = (pieces ?? []).join('');
  reply(200, message(body.model, [{ type: 'text', text }], 'end_turn'));
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
