import { describe, expect, test } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { addressText, parseAddress } from '../../src/client/address.ts';

describe('parseAddress', () => {
  test.each([
    ['unix:///run/user/1000/a.sock', { kind: 'socket', path: '/run/user/1000/a.sock' }],
    ['unix:/run/a.sock', { kind: 'socket', path: '/run/a.sock' }],
    ['/run/with space/a:b.sock', { kind: 'socket', path: '/run/with space/a:b.sock' }],
    ['ws://127.0.0.1:4800', { kind: 'tcp', host: '127.0.0.1', port: 4800 }],
    ['ws://localhost:80/', { kind: 'tcp', host: 'localhost', port: 80 }],
    ['ws://[::1]:4800', { kind: 'tcp', host: '[::1]', port: 4800 }],
  ])('reads %s (R-014)', (text, address) => {
    expect(parseAddress(text)).toEqual(address);
    expect(parseAddress(addressText(parseAddress(text)))).toEqual(address);
  });

  test.each([
    '',
    'agents.sock',
    './agents.sock',
    'unix:agents.sock',
    'unix://agents.sock',
    'unix:',
    '/',
    'localhost:4800',
    'http://localhost:4800',
    'wss://localhost:4800',
    'ws://localhost',
    'ws://localhost:0',
    'ws://localhost:65536',
    'ws://:4800',
    'ws://user@host:4800',
    'ws://localhost:4800/path',
  ])('refuses %j as wrong usage and says what to write (R-014)', (text) => {
    const parse = () => parseAddress(text);
    expect(parse).toThrow(UserError);
    expect(parse).toThrow('write unix:///path, an absolute path or ws://host:port');
    expect(parse).toThrow(expect.objectContaining({ exitCode: 2 }));
  });
});
