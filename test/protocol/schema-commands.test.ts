import { describe, expect, it } from 'vitest';
import type { ProtocolError } from '../../src/base/errors.ts';
import { PARAMS, parseParams } from '../../src/protocol/schema-commands.ts';

type Name = keyof typeof PARAMS;

const channel = 'ahp-root://';
const activeClient = { clientId: 'c', tools: [] };
const handshake = { channel, clientId: 'c', protocolVersions: ['1.0.0'] };
const resume = { channel, clientId: 'c', lastSeenServerSeq: 0, subscriptions: [] };

const LEAST: Record<Name, object> = {
  initialize: handshake,
  reconnect: resume,
  ping: { channel },
  subscribe: { channel },
  listSessions: { channel },
  createSession: { channel },
  disposeSession: { channel },
  fetchTurns: { channel },
  resolveSessionConfig: { channel },
  sessionConfigCompletions: { channel, property: 'model' },
  resourceRead: { channel, uri: 'x-otto-content:/0' },
  completions: { channel, kind: 'userMessage', text: '/', offset: 1 },
  'x-otto/setOption': { channel, id: 'model', value: 'haiku' },
  'x-otto/signIn': { channel, methodId: 'login' },
  'x-otto/releaseSession': { channel },
  'x-otto/setMode': { channel, modeId: 'm' },
  'x-otto/retry': { channel },
  unsubscribe: { channel },
  dispatchAction: { channel, clientSeq: 1, action: { type: 'x' } },
};

const names = Object.keys(PARAMS) as Name[];

function refusal(method: Name, params: unknown): ProtocolError {
  try {
    parseParams(method, params);
  } catch (error) {
    return error as ProtocolError;
  }
  throw new Error(`${method} took ${JSON.stringify(params)}`);
}

describe.each(names)('params of %s', (method) => {
  it('are taken with nothing but what is required', () => {
    const params = LEAST[method];
    expect(parseParams(method, params)).toBe(params);
  });

  it('keep every unknown key, null or not, and `_meta` (VE-8)', () => {
    const params = { ...LEAST[method], _meta: { 'com.example': null }, 'x-vendor': null, more: { a: [1] } };
    const copy = structuredClone(params);
    expect(parseParams(method, params)).toBe(params);
    expect(params).toEqual(copy);
  });

  it.each([undefined, null, 5, 'text', []])('are refused when they are %j', (params) => {
    expect(refusal(method, params)).toMatchObject({ name: 'ProtocolError', code: -32602 });
    expect(refusal(method, params).message).toMatch(/^params: expected object/);
  });

  it.each([undefined, null, 5, {}])('are refused with the channel %j (J-4)', (wrong) => {
    expect(refusal(method, { ...LEAST[method], channel: wrong })).toMatchObject({ code: -32602 });
    expect(refusal(method, { ...LEAST[method], channel: wrong }).message).toMatch(
      /^params\.channel: expected string/,
    );
  });

  it('are refused with `_meta: null`', () => {
    expect(refusal(method, { ...LEAST[method], _meta: null }).message).toBe(
      'params._meta: expected object, received null',
    );
  });

  it.each(Object.keys(LEAST[method]))('are refused without %s', (key) => {
    const { [key]: _dropped, ...rest } = LEAST[method] as Record<string, unknown>;
    expect(refusal(method, rest).message).toMatch(new RegExp(`^params\\.${key}: expected .*missing`));
  });
});

const ACCEPTED: [Name, object][] = [
  ['initialize', { ...handshake, protocolVersions: [] }],
  [
    'initialize',
    {
      ...handshake,
      clientInfo: { name: 'n', version: '1', title: 't', extra: 1 },
      initialSubscriptions: [channel],
      locale: 'de',
      capabilities: { mcpApps: {}, other: {} },
    },
  ],
  ['reconnect', { ...resume, lastSeenServerSeq: 2 ** 40, subscriptions: ['ahp-chat:/1'] }],
  ['subscribe', { channel, delivery: { maxLatencyMs: 0 }, view: { turns: 0 } }],
  ['subscribe', { channel, delivery: {}, view: { other: true } }],
  ['listSessions', { channel, limit: 1, cursor: '' }],
  ['fetchTurns', { channel, cursor: 'c' }],
  [
    'createSession',
    {
      channel,
      provider: 'p',
      workingDirectories: ['file:///a'],
      config: { a: null },
      progressToken: 't',
      activeClient: {
        ...activeClient,
        displayName: 'd',
        tools: [{ name: 't', inputSchema: { type: 'object', properties: { a: {} }, required: ['a'] } }],
        customizations: [
          {
            type: 'plugin',
            id: 'i',
            uri: 'u',
            name: 'n',
            load: { kind: 'degraded', message: 'm' },
            enablement: [{ kind: 'global', enabled: false }, { kind: 'galaxy' }],
            childEnablement: { a: [{ kind: 'workspace', uri: 'u', enabled: true }] },
            children: [
              { type: 'skill', id: 'i', uri: 'u', name: 'n' },
              { type: 'future', odd: null },
            ],
          },
        ],
      },
    },
  ],
];

const REFUSED: [Name, object, RegExp][] = [
  ['initialize', { ...handshake, protocolVersions: '1.0.0' }, /^params\.protocolVersions: expected array/],
  ['initialize', { ...handshake, protocolVersions: [1] }, /^params\.protocolVersions\.0: expected string/],
  ['initialize', { ...handshake, clientId: 5 }, /^params\.clientId: expected string/],
  ['initialize', { ...handshake, clientInfo: null }, /^params\.clientInfo: expected object/],
  ['initialize', { ...handshake, clientInfo: {} }, /^params\.clientInfo\.name: expected string/],
  [
    'initialize',
    { ...handshake, initialSubscriptions: null },
    /^params\.initialSubscriptions: expected array/,
  ],
  ['initialize', { ...handshake, locale: null }, /^params\.locale: expected string/],
  ['initialize', { ...handshake, capabilities: { mcpApps: true } }, /^params\.capabilities\.mcpApps: /],
  ['reconnect', { ...resume, lastSeenServerSeq: -1 }, /^params\.lastSeenServerSeq: expected number/],
  ['reconnect', { ...resume, lastSeenServerSeq: Infinity }, /^params\.lastSeenServerSeq: expected number/],
  ['reconnect', { ...resume, lastSeenServerSeq: '3' }, /^params\.lastSeenServerSeq: expected number/],
  ['reconnect', { ...resume, subscriptions: [null] }, /^params\.subscriptions\.0: expected string/],
  ['subscribe', { channel, delivery: { maxLatencyMs: -1 } }, /^params\.delivery\.maxLatencyMs: /],
  ['subscribe', { channel, delivery: { maxLatencyMs: null } }, /^params\.delivery\.maxLatencyMs: /],
  ['subscribe', { channel, delivery: null }, /^params\.delivery: expected object/],
  ['subscribe', { channel, view: { turns: -1 } }, /^params\.view\.turns: /],
  ['subscribe', { channel, view: { turns: 1.5 } }, /^params\.view\.turns: /],
  ['listSessions', { channel, limit: 0 }, /^params\.limit: /],
  ['listSessions', { channel, limit: 2.5 }, /^params\.limit: /],
  ['listSessions', { channel, cursor: null }, /^params\.cursor: expected string/],
  ['fetchTurns', { channel, cursor: 5 }, /^params\.cursor: expected string/],
  ['createSession', { channel, provider: null }, /^params\.provider: expected string/],
  [
    'createSession',
    { channel, workingDirectories: 'file:///a' },
    /^params\.workingDirectories: expected array/,
  ],
  ['createSession', { channel, workingDirectories: [5] }, /^params\.workingDirectories\.0: expected string/],
  ['createSession', { channel, config: [] }, /^params\.config: expected object/],
  ['createSession', { channel, activeClient: null }, /^params\.activeClient: expected object/],
  [
    'createSession',
    { channel, activeClient: { clientId: 'c' } },
    /^params\.activeClient\.tools: expected array/,
  ],
  [
    'createSession',
    { channel, activeClient: { ...activeClient, tools: [{ name: 't', inputSchema: { type: 'array' } }] } },
    /^params\.activeClient\.tools\.0\.inputSchema\.type: expected "object"/,
  ],
  [
    'createSession',
    { channel, activeClient: { ...activeClient, customizations: [{ type: 'directory' }] } },
    /^params\.activeClient\.customizations\.0\./,
  ],
  ['x-otto/setMode', { channel, modeId: null }, /^params\.modeId: expected string/],
  ['dispatchAction', { ...LEAST.dispatchAction, clientSeq: '1' }, /^params\.clientSeq: expected number/],
  ['dispatchAction', { ...LEAST.dispatchAction, action: {} }, /^params\.action\.type: expected string/],
  ['dispatchAction', { ...LEAST.dispatchAction, action: [] }, /^params\.action: expected object/],
];

describe('parseParams', () => {
  it.each(ACCEPTED)('takes for %s %j', (method, params) => {
    expect(parseParams(method, params)).toBe(params);
  });

  it.each(REFUSED)('refuses for %s %j and says where', (method, params, message) => {
    expect(refusal(method, params)).toMatchObject({ code: -32602, message: expect.stringMatching(message) });
  });

  it('keeps its complaint short, however long the key it complains about', () => {
    const childEnablement = { ['k'.repeat(100_000)]: null };
    const customizations = [{ type: 'plugin', id: 'i', uri: 'u', name: 'n', childEnablement }];
    const params = { channel, activeClient: { ...activeClient, customizations } };
    expect(refusal('createSession', params).message.length).toBeLessThan(400);
  });
});
