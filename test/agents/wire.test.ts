// What arrives on an agent's pipes that should not: each is dropped, bounded or survived.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { LineSplitter, MAX_LINE_BYTES, parseMessage } from '../../src/agents/acp/lines.ts';
import { message, startRig } from './acp-rig.ts';

const MIB = 1024 * 1024;
/** So many small updates, as lines. */
const early = (count: number) => {
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'e' } };
  const params = { sessionId: 's1', update };
  return `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params })}\n`.repeat(count);
};
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

describe('the lines of an agent', () => {
  it('carry on through banners, empty and CRLF lines, and junk between chunks (F-001)', async () => {
    const junk = ['line Welcome', 'line v1.0', 'line ready', 'line ', 'line "crlf\\r"'];
    const chunks = Array.from({ length: 20 }, (_, n) => [`say ${n},`, 'line [debug] noise']).flat();
    const rig = startRig({ script: { on: { initialize: junk }, prompts: [chunks] } });
    await rig.next('started');
    expect(await rig.prompt('go')).toEqual({ stop: 'end_turn' });
    expect(rig.text()).toBe(Array.from({ length: 20 }, (_, n) => `${n},`).join(''));
    expect(rig.of('text')).toHaveLength(20);
    const lines = rig.logged.filter((line) => line.includes('not a message'));
    expect(lines).toHaveLength(20);
    expect(lines.every((line) => line.startsWith('debug '))).toBe(true);
    // A well-formed answer: nothing was sent back about any of it.
    expect(rig.received()).toEqual(['initialize', 'session/new', 'session/prompt']);
  });

  it('that are JSON but no JSON-RPC resolve nothing (F-002)', async () => {
    const rig = startRig({
      script: {
        on: {
          'session/new': [
            'line 42',
            'line "\\"hi\\""',
            'line []',
            'line null',
            'line {"id":$ID,"level":"info"}',
            'line {"id":$ID,"result":{"sessionId":"no version"}}',
            'line {"jsonrpc":"2.0","id":$ID,"result":{"sessionId":"both"},"error":{"code":1,"message":"x"}}',
            'line {"jsonrpc":"2.0","id":$ID}',
            'line {"jsonrpc":"2.0","id":"never asked","result":{}}',
            'line "\\u001b[31mred\\u001b[0m"',
          ],
        },
      },
    });
    expect((await rig.next('started')).agentSession).toBe('s1');
  });

  it('may carry the other one of result and error as null', async () => {
    const nulled = '"error":null';
    const rig = startRig({
      script: {
        on: {
          'session/new': [`line {"jsonrpc":"2.0","id":$ID,"result":{"sessionId":"s1"},${nulled}}`, 'swallow'],
        },
        prompts: [
          [`line {"jsonrpc":"2.0","id":$ID,${nulled},"result":{"stopReason":"max_tokens"}}`, 'swallow'],
          ['line {"jsonrpc":"2.0","id":$ID,"result":null,"error":{"code":-1,"message":"no"}}', 'swallow'],
        ],
      },
    });
    expect((await rig.next('started')).agentSession).toBe('s1');
    expect(await rig.prompt('x')).toEqual({ stop: 'max_tokens' });
    expect(await rig.prompt('x', 'b')).toEqual({ failed: { kind: 'refused', message: 'no', code: -1 } });
  });

  it.each([
    ['bytes', Array(17).fill(`fill ${MIB}`)],
    ['updates', [`raw ${JSON.stringify(early(10_001))}`]],
  ])('that come before the session are held only up to a limit of %s', async (_, flood) => {
    const rig = startRig({ script: { on: { 'session/new': [...flood, 'swallow'] } } });
    expect((await rig.next('stopped')).error).toEqual({
      kind: 'protocol',
      message:
        'Scripted sent more than 10000 updates or 16777216 bytes of them before its session had started',
    });
    expect(rig.text()).toBe('');
  });

  it('that come before the session are heard in order up to that limit (F-012)', async () => {
    const rig = startRig({ script: { on: { 'session/new': [`raw ${JSON.stringify(early(10_000))}`] } } });
    await rig.next('started');
    await rig.prompt('@say end');
    expect(rig.text()).toBe(`${'e'.repeat(10_000)}end`);
  });

  it('take no broken character to the agent, wherever it stands (F-008)', async () => {
    const rig = startRig({ script: { prompts: [['say ok']] } });
    await rig.next('started');
    const attachments = [{ type: 'resource' as const, uri: 'file:///x', label: 'name\udc00 👩' }];
    rig.handle.prompt('a', message('text\ud800', attachments));
    await rig.next('turnEnded');
    expect(rig.messages('session/prompt')).toMatchObject([
      { params: { prompt: [{ text: 'text\ufffd' }, { name: 'name\ufffd 👩' }] } },
    ]);
  });

  it('may hold 10 MiB (F-005)', async () => {
    const rig = startRig({ script: { prompts: [[`fill ${10 * MIB}`]] } });
    await rig.next('started');
    await rig.prompt('go');
    expect(rig.text().length).toBe(10 * MIB);
  });

  it('take a prompt of 3 MiB to the agent whole (F-005)', async () => {
    const rig = startRig({ script: { prompts: [['say ok']] } });
    await rig.next('started');
    const text = 'y'.repeat(3 * MIB);
    await rig.prompt(text);
    expect(rig.messages('session/prompt')).toMatchObject([{ params: { prompt: [{ text }] } }]);
  });

  it.each([1, 4096, 65_537])('keep characters cut by writes of %d bytes (F-020)', async (size) => {
    const text = '界é👩‍👩‍👧e\u0301'.repeat(size === 1 ? 200 : 9000);
    const rig = startRig({ script: { prompts: [[`dribble ${size} ${JSON.stringify(text)}`]] } });
    await rig.next('started');
    await rig.prompt('go');
    expect(hash(rig.text())).toBe(hash(text));
  });

  it('without an end are cut at the ceiling: that agent is ended, memory stays bounded, others go on (F-007)', async () => {
    const other = startRig();
    await other.next('started');
    const rig = startRig({ script: { prompts: [['flood 300000000']] } });
    await rig.next('started');
    const before = process.memoryUsage().arrayBuffers;
    rig.handle.prompt('a', { text: 'x', origin: { kind: 'user' } });
    const answer = await other.prompt('still there?');
    const { error } = await rig.next('stopped');
    expect(error).toEqual({
      kind: 'exit',
      message: `Scripted sent a line of more than ${MAX_LINE_BYTES} bytes`,
    });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 * MAX_LINE_BYTES);
    expect(answer).toEqual({ stop: 'end_turn' });
  });

  it.each([1, 7, 4096, 100_000])('meet the same ceiling in chunks of %d bytes (F-007)', (size) => {
    const limit = 10_000;
    const feed = (length: number, end: string) => {
      const splitter = new LineSplitter(limit);
      const bytes = Buffer.from('a'.repeat(length) + end);
      const lines: number[] = [];
      for (let at = 0; at < bytes.length; at += size) {
        const complete = splitter.push(bytes.subarray(at, at + size));
        if (complete === undefined) return 'over';
        lines.push(...complete.map((line) => line.length));
      }
      return lines;
    };
    expect(feed(limit, '\nshort\n')).toEqual([limit, 5]);
    expect(feed(limit + 1, '\n')).toBe('over');
    expect(feed(limit + 1, '')).toBe('over');
  });

  it('are messages only with a version and one legal shape', () => {
    const isMessage = (text: string) => parseMessage(Buffer.from(text)) !== undefined;
    expect(isMessage('{"jsonrpc":"2.0","id":0,"result":null}')).toBe(true);
    expect(isMessage('{"jsonrpc":"2.0","method":"m"}\r')).toBe(true);
    expect(isMessage('{"jsonrpc":"2.0","id":"a","method":"m","params":{}}')).toBe(true);
    expect(isMessage('{"jsonrpc":"2.0","id":null,"method":"m"}')).toBe(false);
    expect(isMessage('{"jsonrpc":"2.0","method":5}')).toBe(false);
    expect(isMessage('{"jsonrpc":"1.0","method":"m"}')).toBe(false);
    expect(isMessage('{"jsonrpc":"2.0"}')).toBe(false);
  });
});

describe('the stderr of an agent', () => {
  it('is drained however much it is, and its tail is there after a crash (F-098)', async () => {
    const rig = startRig({
      script: { prompts: [['errflood 20000000', 'err ', 'say through', 'err "bad: 界"', 'exit 9']] },
    });
    await rig.next('started');
    rig.handle.prompt('a', { text: 'x', origin: { kind: 'user' } });
    expect((await rig.next('text')).text).toBe('through');
    const { error } = await rig.next('stopped');
    expect(error?.message).toMatch(/^Process exited with status 9: x{199}… · bad: 界$/);
  });
});

describe('an agent with another idea of the protocol', () => {
  it('is left before any further request when its version differs (F-016)', async () => {
    const rig = startRig({ script: { version: 99 } });
    expect((await rig.next('stopped')).error).toEqual({
      kind: 'protocol',
      message: 'Scripted speaks version 99 of ACP and otto-agents speaks 1',
    });
    expect(rig.received()).toEqual(['initialize']);
  });

  it('is told -32601 for what was not offered, and its turn goes on (F-009, R-063)', async () => {
    const rig = startRig({
      script: {
        prompts: [
          [
            'call fs/read_text_file {"path":"/etc/hostname"}',
            'call fs/write_text_file {"path":"/tmp/x","content":"x"}',
            'call terminal/create {"command":"true"}',
            'call _vendor/thing',
          ],
        ],
      },
    });
    await rig.next('started');
    expect(await rig.prompt('go')).toEqual({ stop: 'end_turn' });
    expect(rig.text()).toBe('[error -32601]'.repeat(4));
  });

  it('that nests an update deeper than can be written out again is heard further', async () => {
    const deep = `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`;
    const update = `{"sessionUpdate":"tool_call","toolCallId":"c","rawInput":${deep},"rawOutput":[${deep}]}`;
    const line = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":${update}}}`;
    const rig = startRig({ script: { prompts: [[`line ${line}`, 'say after']] } });
    await rig.next('started');
    expect(await rig.prompt('x')).toEqual({ stop: 'end_turn' });
    expect(rig.text()).toBe('after');
    expect(JSON.stringify(rig.of('tool')[0]?.patch).length).toBeLessThan(2000);
  });

  it('that answers a prompt with an error ends that turn with its text and lives on (R-056)', async () => {
    const rig = startRig({
      script: {
        prompts: [
          ['fail -32603 model is away'],
          ['fault {"code":-32603,"message":"m","data":{"errorKind":"overloaded","details":"d"}}'],
          ['say back'],
        ],
      },
    });
    await rig.next('started');
    expect(await rig.prompt('x')).toEqual({
      failed: { kind: 'refused', message: 'model is away', code: -32603 },
    });
    expect(await rig.prompt('x', 'turn-2')).toEqual({
      failed: { kind: 'refused', message: 'm: d', code: -32603, detail: 'overloaded' },
    });
    expect(await rig.prompt('x', 'turn-3')).toEqual({ stop: 'end_turn' });
  });

  it('gets a cancel as a notification of its session (F-047)', async () => {
    const rig = startRig();
    await rig.next('started');
    rig.handle.prompt('a', { text: '@say x\n@hang', origin: { kind: 'user' } });
    await rig.next('text');
    rig.handle.cancel('a');
    await rig.next('turnEnded');
    expect(rig.messages('session/cancel')).toEqual([
      { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 's1' } },
    ]);
  });
});
