#!/usr/bin/env node
// An MCP server with one tool, `choose`, that asks for several of three choices and for a free text and returns the
// answer as it came. Speaks what a client needs for that, and nothing else.
import { createInterface } from 'node:readline';

const SCHEMA = {
  type: 'object',
  properties: {
    parts: {
      type: 'array',
      title: 'Parts',
      description: 'Which parts should change?',
      minItems: 1,
      items: {
        anyOf: [
          { const: 'dock', title: 'Dock' },
          { const: 'top', title: 'Top bar' },
          { const: 'islands', title: 'Islands' },
        ],
      },
    },
    name: { type: 'string', title: 'Name', description: 'What should it be called?' },
  },
  required: ['parts'],
};
const ASK = 'ask';

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
let call;

const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'asker', version: '0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: [
      {
        name: 'choose',
        description: 'Asks which parts should change',
        inputSchema: { type: 'object', properties: {} },
        annotations: { readOnlyHint: true },
      },
    ],
  }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === undefined && id === ASK) {
    send({ id: call, result: { content: [{ type: 'text', text: JSON.stringify(result ?? error) }] } });
  } else if (method === 'tools/call') {
    call = id;
    send({
      id: ASK,
      method: 'elicitation/create',
      params: { message: 'Please choose.', requestedSchema: SCHEMA },
    });
  } else if (id !== undefined && ANSWERS[method] !== undefined) {
    send({ id, result: ANSWERS[method](params) });
  } else if (id !== undefined) {
    send({ id, error: { code: -32601, message: `${method} is not known here` } });
  }
}
