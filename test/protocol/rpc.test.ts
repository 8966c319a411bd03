import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failure, notification, parseFrame, success } from '../../src/protocol/rpc.ts';

const frame = (value: unknown) => parseFrame(JSON.stringify(value));

describe('parseFrame', () => {
  it('reads a request (J-1)', () => {
    expect(frame({ jsonrpc: '2.0', id: 7, method: 'ping', params: { channel: 'ahp-root://' } })).toEqual({
      kind: 'request',
      id: 7,
      method: 'ping',
      params: { channel: 'ahp-root://' },
    });
  });

  it('reads a notification: a method without an id (J-3)', () => {
    expect(frame({ jsonrpc: '2.0', method: 'unsubscribe', params: {} })).toEqual({
      kind: 'notification',
      method: 'unsubscribe',
      params: {},
    });
  });

  it.each([0, -1, 2 ** 53 - 1, 1.5, '', 'seven', null, true, [1], { a: null }])(
    'keeps the id %j of a request as it is (J-1, R-018)',
    (id) => {
      expect(frame({ jsonrpc: '2.0', id, method: 'ping' })).toEqual({
        kind: 'request',
        id,
        method: 'ping',
        params: undefined,
      });
    },
  );

  it('reads both kinds of response, so that they can be ignored', () => {
    expect(frame({ jsonrpc: '2.0', id: 1, result: null })).toEqual({ kind: 'response', id: 1, result: null });
    const error = { code: -32601, message: 'no', data: { a: 1 } };
    expect(frame({ jsonrpc: '2.0', id: 1, error })).toEqual({ kind: 'response', id: 1, error });
  });

  it.each([['nonsense'], [null], [{ code: 'x', message: 'y' }], [{ code: 1 }]])(
    'reads a response with the malformed error %j as an internal error, never as something to answer',
    (error) => {
      expect(frame({ jsonrpc: '2.0', id: 1, error })).toMatchObject({
        kind: 'response',
        id: 1,
        error: { code: -32603, message: expect.any(String) },
      });
    },
  );

  it.each(['', 'garbage', '{"jsonrpc":"2.0","id":1', '{"a":1}{"b":2}', "{'a':1}", '\u0000'])(
    'answers the text %j, which is not JSON, with -32700 and no id (J-7)',
    (text) => {
      expect(parseFrame(text)).toMatchObject({ kind: 'fault', id: null, code: -32700 });
    },
  );

  it.each(['[]', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', '5', '"ping"', 'null', 'true'])(
    'answers %s, which is no message, with -32600 and no id (R-018)',
    (text) => {
      expect(parseFrame(text)).toMatchObject({ kind: 'fault', id: null, code: -32600 });
    },
  );

  it.each([
    [{ id: 3, method: 'ping' }, 3],
    [{ jsonrpc: '1.0', id: 'a', method: 'ping' }, 'a'],
    [{ jsonrpc: 2, method: 'ping' }, null],
    [{ jsonrpc: '2.0', id: 0 }, 0],
    [{ jsonrpc: '2.0', id: 5, method: 9 }, 5],
    [{ jsonrpc: '2.0', id: 5, method: null, result: 1 }, 5],
    [{}, null],
  ])('answers %j with -32600 and its id', (message, id) => {
    expect(frame(message)).toMatchObject({ kind: 'fault', id, code: -32600 });
  });

  it('refuses nesting that could be parsed but not written again, also inside an id', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(() => JSON.stringify(JSON.parse(deep))).toThrow(RangeError);
    expect(parseFrame(`{"jsonrpc":"2.0","id":${deep},"method":"ping"}`)).toMatchObject({
      kind: 'fault',
      id: null,
      code: -32600,
    });
  });

  it('does not take brackets in strings for nesting', () => {
    const text = `\\"${'[{'.repeat(2000)}\\`;
    expect(frame({ jsonrpc: '2.0', id: 1, method: 'm', params: { text } })).toMatchObject({
      kind: 'request',
      params: { text },
    });
  });

  it('finds the nesting behind a string that ends in backslashes', () => {
    const deep = '['.repeat(1000) + ']'.repeat(1000);
    expect(parseFrame(`{"jsonrpc":"2.0","method":"m","params":["\\\\",${deep}]}`).kind).toBe('fault');
    expect(parseFrame(`{"jsonrpc":"2.0","method":"m","params":["\\\\\\"",${deep}]}`).kind).toBe('fault');
  });

  it('accepts nesting up to its limit and nothing deeper', () => {
    const nested = (depth: number) =>
      `{"jsonrpc":"2.0","method":"m","params":${'['.repeat(depth)}1${']'.repeat(depth)}}`;
    expect(parseFrame(nested(511)).kind).toBe('notification');
    expect(parseFrame(nested(512)).kind).toBe('fault');
  });

  it('never throws, and what it says about any JSON can be written again', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(typeof JSON.stringify(parseFrame(text))).toBe('string');
      }),
    );
  });
});

describe('builders', () => {
  it('write what parseFrame reads', () => {
    expect(frame(success('a', { b: 1 }))).toEqual({ kind: 'response', id: 'a', result: { b: 1 } });
    expect(frame(success(1, null))).toEqual({ kind: 'response', id: 1, result: null });
    expect(frame(failure(null, -32700, 'bad'))).toEqual({
      kind: 'response',
      id: null,
      error: { code: -32700, message: 'bad' },
    });
    expect(frame(failure(1, -32005, 'no', { supportedVersions: [] }))).toMatchObject({
      error: { code: -32005, message: 'no', data: { supportedVersions: [] } },
    });
    expect(frame(notification('action', { channel: 'x' }))).toEqual({
      kind: 'notification',
      method: 'action',
      params: { channel: 'x' },
    });
  });

  it('leave an absent data out', () => {
    expect(Object.keys(failure(1, -32603, 'fault').error)).toEqual(['code', 'message']);
  });
});
