#!/usr/bin/env node
// Stands between the service and an agent and writes down every line of both directions.
//
//   node tee.mjs FILE COMMAND [ARG...]      FILE gets lines {"from": "service" | "agent", "line": "…"}
//
// Passes everything on untouched and ends when the agent ends.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [file, command, ...args] = process.argv.slice(2);
const agent = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const note = (from, stream) =>
  createInterface({ input: stream }).on('line', (line) =>
    appendFileSync(file, `${JSON.stringify({ from, line })}\n`),
  );
note('service', process.stdin);
note('agent', agent.stdout);
process.stdin.pipe(agent.stdin);
agent.stdout.pipe(process.stdout);
agent.on('exit', (code) => {
  process.exitCode = code ?? 1;
  process.stdin.destroy();
});
