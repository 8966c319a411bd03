#!/usr/bin/env node
// An ACP agent played from a script: raw JSON lines on stdio and no library, so that it can also misbehave.
// It refuses nothing: what a well-behaved agent must not do is exactly what it is for.
//
//   node scripted-agent.mjs [SCRIPT.json]        without a file the script is the JSON text in $AGENT_SCRIPT, or {}
//
// Script (every key optional):
//   log           file that gets one JSON line per thing seen: {"pid"} at start, {"received": message}, {"eof": true},
//                 {"signal": "SIGTERM"}, {"child": pid}; $AGENT_LOG when absent
//   ignore        list of "eof", "term", "cancel": what the agent does not react to
//   hello         merged into the answer of `initialize`, for example {"_meta": {"steering": {"supported": true}}}
//   capabilities  agentCapabilities of `initialize`              (default {})
//   authMethods   of `initialize`                                 (default [])
//   version       protocolVersion of `initialize`                 (default 1)
//   session       merged into the answers of `session/new` and `session/load`, for example {"modes": {...}}; ids are
//                 s1, s2, ...; its `configOptions` follow `session/set_config_option`, which answers with all of them
//   locked        list of methods answered with -32000 until the step `unlock` ran, or from the beginning once ...
//   key           ... this file exists when the agent starts
//   replay        updates sent before `session/load` is answered
//   start         steps run before stdin is read
//   on            {METHOD: steps} run when a request METHOD arrives, before its usual answer
//   prompts       [steps, steps, ...] for the first, second, ... `session/prompt`; the last one repeats
//   end           steps run when stdin has ended, before leaving
//
// Without `prompts`, the prompt itself is the script: its lines that begin with `@` are steps (`@say Hello`). A prompt
// without such a line is echoed as "Echo: <text>", one chunk a word; links follow as "[name](uri)".
//
// A step is one string, a verb and its rest. TEXT that starts with a double quote is read as a JSON string.
//   say TEXT | think TEXT     message or thought chunk
//   fill N                    a message chunk of N characters
//   update JSON               session/update with this update; update:ID JSON for another session id
//   line TEXT | raw TEXT      TEXT on stdout, with or without a line break ($ID = id of the request being served)
//   flood N                   N bytes without a line break on stdout
//   dribble N TEXT            a message chunk written N bytes at a time
//   err TEXT | errflood N     a line, or N bytes without a line break, on stderr
//   permission JSON           session/request_permission {toolCall?, options?}; says "[selected ID]" or "[cancelled]"
//   ask JSON                  the same without waiting for the answer
//   elicit JSON               elicitation/create {message?, requestedSchema?, ...}; says "[accept CONTENT]", "[decline]"
//                             or "[cancel]"; elicit:later JSON the same without waiting for the answer
//   withdraw                  $/cancel_request for the newest open request
//   call METHOD JSON          any request to the client; says "[ok JSON]" or "[error CODE]"
//   wait FILE | touch FILE    waits until FILE exists (a cancel ends the wait); creates FILE
//   pause MS                  waits; only for what is about time itself
//   hang                      waits for `session/cancel`, for ever when there is none
//   stop REASON               the stop reason of this prompt      (default end_turn)
//   answer JSON               answers now with this result; fail CODE TEXT with this error; swallow: never
//   fault JSON                answers now with this whole error object
//   unlock                    what is `locked` is open from now on
//   pretty                    answers now with the usual result, indented over many lines
//   child                     starts a grandchild that never ends by itself
//   stray                     the same in a session of its own, which no signal to the group reaches
//   away MS                   starts a process outside the group, with nothing of the environment, that holds stderr
//                             for so long
//   exit CODE | kill SIGNAL   leaves at once
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, watch, writeFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const script = JSON.parse(
  process.argv[2] ? readFileSync(process.argv[2], 'utf8') : process.env.AGENT_SCRIPT || '{}',
);
const logFile = script.log ?? process.env.AGENT_LOG;
const note = (entry) => logFile && appendFileSync(logFile, `${JSON.stringify(entry)}\n`);
const ignores = (what) => (script.ignore ?? []).includes(what);

/** Writes all of `data` to `fd` before it returns, however full the pipe is. */
function put(fd, data) {
  let rest = Buffer.from(data);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      if (error.code === 'EPIPE') return;
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
const send = (message) => put(1, `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const textOf = (rest) => (rest.startsWith('"') ? JSON.parse(rest) : rest);

let sessions = 0;
let prompts = 0;
let requests = 0;
let newest;
let open = script.key !== undefined && existsSync(script.key);
const waiting = new Map();
const cancels = new Set();

function ask(method, params) {
  newest = `agent-${++requests}`;
  const id = newest;
  const answer = new Promise((done) => waiting.set(id, done));
  send({ id, method, params });
  return answer;
}

function fileAppears(file, signal) {
  return new Promise((done) => {
    const finish = () => {
      watcher.close();
      clearInterval(timer);
      done();
    };
    const look = () => (existsSync(file) || signal.aborted) && finish();
    const watcher = watch(dirname(file), look);
    const timer = setInterval(look, 20);
    signal.addEventListener('abort', look);
    look();
  });
}

const cancelled = (signal) =>
  new Promise((done) => (signal.aborted ? done() : signal.addEventListener('abort', done)));

/** What this request is answered with when no step has answered it. */
function usual(message) {
  switch (message.method) {
    case 'initialize':
      return {
        protocolVersion: script.version ?? 1,
        agentInfo: { name: 'scripted', version: '1' },
        agentCapabilities: script.capabilities ?? {},
        authMethods: script.authMethods ?? [],
        ...script.hello,
      };
    case 'session/new':
      return { sessionId: `s${++sessions}`, ...script.session };
    case 'session/load':
      return { ...script.session };
    case 'session/set_config_option':
      for (const option of script.session?.configOptions ?? []) {
        if (option.id === message.params.configId) option.currentValue = message.params.value;
      }
      return script.session?.configOptions ? { configOptions: script.session.configOptions } : {};
    default:
      return {};
  }
}

/** Runs steps for one request (or none); returns what became of the request. */
async function play(steps, message, signal) {
  const session = message?.params?.sessionId ?? `s${sessions + 1}`;
  const update = (value, id = session) =>
    send({ method: 'session/update', params: { sessionId: id, update: value } });
  const chunk = (text, kind = 'agent_message_chunk') =>
    update({ sessionUpdate: kind, content: { type: 'text', text } });
  const permission = (rest) => {
    const given = rest === '' ? {} : JSON.parse(rest);
    return ask('session/request_permission', {
      sessionId: session,
      toolCall: { toolCallId: 'call-1', title: 'Run it', kind: 'execute', status: 'pending' },
      options: [
        { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
        { optionId: 'no', name: 'Reject', kind: 'reject_once' },
      ],
      ...given,
    });
  };
  const elicit = async (rest) => {
    const reply = await ask('elicitation/create', {
      sessionId: session,
      mode: 'form',
      message: 'A question',
      requestedSchema: { type: 'object', properties: { text: { type: 'string' } } },
      ...JSON.parse(rest || '{}'),
    });
    const { action = 'error', content } = reply.result ?? {};
    return content === undefined ? `[${action}]` : `[${action} ${JSON.stringify(content)}]`;
  };
  const state = { answered: false, stop: undefined };
  const answer = (body) => {
    state.answered = true;
    send({ id: message.id, ...body });
  };
  for (const step of steps) {
    const [, word, rest] = step.match(/^(\S+) ?([\s\S]*)$/);
    const [verb, target] = word.split(':');
    if (verb === 'say') chunk(textOf(rest));
    else if (verb === 'think') chunk(textOf(rest), 'agent_thought_chunk');
    else if (verb === 'fill') chunk('x'.repeat(Number(rest)));
    else if (verb === 'update') update(JSON.parse(rest), target);
    else if (verb === 'line') put(1, `${textOf(rest).replaceAll('$ID', JSON.stringify(message?.id))}\n`);
    else if (verb === 'raw') put(1, textOf(rest).replaceAll('$ID', JSON.stringify(message?.id)));
    else if (verb === 'flood' || verb === 'errflood') {
      const piece = Buffer.alloc(65536, 'x');
      for (let left = Number(rest); left > 0; left -= piece.length) {
        put(verb === 'flood' ? 1 : 2, piece.subarray(0, Math.min(left, piece.length)));
      }
    } else if (verb === 'dribble') {
      const [, size, text] = rest.match(/^(\d+) ([\s\S]*)$/);
      const update_ = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: textOf(text) } };
      const params = { sessionId: session, update: update_ };
      const bytes = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params })}\n`);
      for (let at = 0; at < bytes.length; at += Number(size)) put(1, bytes.subarray(at, at + Number(size)));
    } else if (verb === 'err') put(2, `${textOf(rest)}\n`);
    else if (verb === 'permission') {
      const { result } = await permission(rest);
      const outcome = result?.outcome;
      chunk(
        outcome?.outcome === 'selected'
          ? `[selected ${outcome.optionId}]`
          : `[${outcome?.outcome ?? 'error'}]`,
      );
    } else if (verb === 'ask') void permission(rest);
    else if (verb === 'elicit' && target === 'later') void elicit(rest);
    else if (verb === 'elicit') chunk(await elicit(rest));
    else if (verb === 'withdraw') send({ method: '$/cancel_request', params: { requestId: newest } });
    else if (verb === 'call') {
      const [, method, json] = rest.match(/^(\S+) ?([\s\S]*)$/);
      const reply = await ask(method, { sessionId: session, ...JSON.parse(json || '{}') });
      chunk(reply.error ? `[error ${reply.error.code}]` : `[ok ${JSON.stringify(reply.result)}]`);
    } else if (verb === 'wait') await fileAppears(rest, signal);
    else if (verb === 'touch') writeFileSync(rest, '');
    else if (verb === 'pause') await new Promise((done) => setTimeout(done, Number(rest)));
    else if (verb === 'hang') await cancelled(signal);
    else if (verb === 'stop') state.stop = rest;
    else if (verb === 'answer') answer({ result: JSON.parse(rest) });
    else if (verb === 'fail') {
      const [, code, text] = rest.match(/^(-?\d+) ?([\s\S]*)$/);
      answer({ error: { code: Number(code), message: text } });
    } else if (verb === 'fault') answer({ error: JSON.parse(rest) });
    else if (verb === 'unlock') open = true;
    else if (verb === 'swallow') state.answered = true;
    else if (verb === 'pretty') {
      state.answered = true;
      put(1, `${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: usual(message) }, null, 2)}\n`);
    } else if (verb === 'away') {
      const stdio = ['ignore', 'ignore', 'inherit'];
      spawn(process.execPath, ['-e', `setTimeout(() => {}, ${rest})`], { stdio, detached: true, env: {} });
    } else if (verb === 'child' || verb === 'stray') {
      const detached = verb === 'stray';
      const stdio = detached ? 'ignore' : 'inherit';
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio, detached });
      note({ child: child.pid });
    } else if (verb === 'exit') process.exit(Number(rest));
    else if (verb === 'kill') {
      process.kill(process.pid, rest);
      await new Promise(() => {});
    } else throw new Error(`Unknown step: ${step}`);
    if (signal.aborted) state.stop ??= 'cancelled';
    if (state.stop === 'cancelled') break;
  }
  return state;
}

function promptSteps(message) {
  prompts += 1;
  if (script.prompts) return script.prompts[Math.min(prompts, script.prompts.length) - 1];
  const blocks = message.params.prompt;
  const text = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  const lines = text.split('\n').map((line) => line.trim());
  const steps = lines.filter((line) => line.startsWith('@')).map((line) => line.slice(1));
  if (steps.length > 0) return steps;
  const links = blocks.flatMap((block) =>
    block.uri ? [`say ${JSON.stringify(`\n[${block.name}](${block.uri})`)}`] : [],
  );
  const words = `Echo: ${text}`.split(/(?<= )/).map((word) => `say ${JSON.stringify(word)}`);
  return [...words, ...links];
}

async function serve(message) {
  const cancel = new AbortController();
  const isPrompt = message.method === 'session/prompt';
  if (isPrompt) cancels.add(cancel);
  if (message.method === 'session/load') {
    for (const update of script.replay ?? []) {
      send({ method: 'session/update', params: { sessionId: message.params.sessionId, update } });
    }
  }
  const isLocked = !open && script.locked?.includes(message.method);
  const lock = 'fail -32000 Authentication required';
  const own = isLocked ? [lock] : isPrompt ? promptSteps(message) : [];
  const steps = [...(script.on?.[message.method] ?? []), ...own];
  const { answered, stop } = await play(steps, message, cancel.signal);
  cancels.delete(cancel);
  if (answered) return;
  send({ id: message.id, result: isPrompt ? { stopReason: stop ?? 'end_turn' } : usual(message) });
}

function receive(message) {
  note({ received: message });
  if (message.method === undefined) {
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  } else if (message.id !== undefined) void serve(message);
  else if (message.method === 'session/cancel' && !ignores('cancel')) {
    for (const cancel of cancels) cancel.abort();
  }
}

note({ pid: process.pid });
process.on('SIGTERM', () => {
  note({ signal: 'SIGTERM' });
  if (!ignores('term')) process.exit(143);
});
if (ignores('eof')) setInterval(() => {}, 1e6);
await play(script.start ?? [], undefined, new AbortController().signal);

let held = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (data) => {
  held += data;
  for (let end = held.indexOf('\n'); end >= 0; end = held.indexOf('\n')) {
    const line = held.slice(0, end);
    held = held.slice(end + 1);
    receive(JSON.parse(line));
  }
});
process.stdin.on('end', async () => {
  note({ eof: true });
  await play(script.end ?? [], undefined, new AbortController().signal);
  if (!ignores('eof')) process.exit(0);
});
