#!/usr/bin/env node
// A model for real coding agents that needs no network: what they use of two model APIs, answering from directives
// in the prompt. Not a model and not a check of requests; what it does not know it answers with 404.
//
//   node model-server.mjs        listens on a free port of 127.0.0.1 and prints its address on one line
//
// The directives are listed in README.md beside this file.
import { createServer } from 'node:http';
import { answerMessages } from './messages-api.mjs';
import { answerResponses } from './responses-api.mjs';

const server = createServer(async (request, response) => {
  const reply = (status, value) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  };
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { pathname } = new URL(request.url, 'http://localhost');
  const what = `${request.method} ${pathname}`;
  if (what === 'POST /v1/messages') return answerMessages(JSON.parse(Buffer.concat(chunks)), response);
  if (what === 'POST /v1/responses') return answerResponses(JSON.parse(Buffer.concat(chunks)), response);
  if (what === 'POST /v1/messages/count_tokens') return reply(200, { input_tokens: 1 });
  if (what === 'GET /v1/models') return reply(200, { object: 'list', data: [], models: [] });
  if (request.method === 'HEAD') return void response.writeHead(200).end();
  return reply(404, { type: 'error', error: { type: 'not_found_error', message: what } });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
