import { describe, expect, test } from 'vitest';
import { defaultListen, isLoopback, parseListen } from '../../src/server/address.ts';

describe('R-010 --listen takes', () => {
  const unix = (path: string) => ({ kind: 'unix', path });
  const tcp = (host: string, port: number) => ({ kind: 'tcp', host, port });
  test.each([
    ['/run/a/agents.sock', unix('/run/a/agents.sock')],
    ['unix:/run/a.sock', unix('/run/a.sock')],
    ['unix:///run/a.sock', unix('/run/a.sock')],
    ['/with space/ünï.sock', unix('/with space/ünï.sock')],
    ['/odd:name', unix('/odd:name')],
    ['127.0.0.1:4800', tcp('127.0.0.1', 4800)],
    ['127.0.0.1:0', tcp('127.0.0.1', 0)],
    ['127.1.2.3:65535', tcp('127.1.2.3', 65535)],
    ['localhost:4800', tcp('localhost', 4800)],
    ['[::1]:4800', tcp('::1', 4800)],
  ])('%s', (value, address) => {
    expect(parseListen(value)).toEqual(address);
  });
});

describe('--listen refuses, with exit code 2 and what to write', () => {
  test.each([
    '',
    ' ',
    ':4800',
    ' :4800',
    '*',
    '*:4800',
    '0.0.0.0',
    '0.0.0.0:4800',
    '::',
    ':::4800',
    '[::]:4800',
    '::1:4800',
    '4800',
    'localhost',
    'localhost:',
    'localhost:http',
    '127.0.0.1:65536',
    '127.0.0.1:-1',
    '127.0.0.1:1e3',
    '127.evil.test:4800',
    '192.168.0.1:4800',
    'example.org:4800',
    'relative/agents.sock',
    './agents.sock',
    'unix:relative.sock',
    'unix:',
    'unix:///',
    '/',
    '/dir/',
    '/a\0b',
    'ws://127.0.0.1:4800',
    'tcp:127.0.0.1:4800',
  ])('R-010 F-131 %j', (value) => {
    expect(() => parseListen(value)).toThrowError(
      expect.objectContaining({
        name: 'UserError',
        exitCode: 2,
        message: expect.stringMatching(/Write an absolute path/),
      }),
    );
  });
});

test('R-005 R-012 the default is the socket under the runtime directory, else port 4800 of the loopback', () => {
  expect(defaultListen('/run/user/1000')).toEqual({
    kind: 'unix',
    path: '/run/user/1000/otto-agents/agents.sock',
  });
  expect(defaultListen('/run/user/1000/')).toEqual(defaultListen('/run/user/1000'));
  expect(defaultListen(undefined)).toEqual({ kind: 'tcp', host: '127.0.0.1', port: 4800 });
});

test('names that merely look like the loopback are not', () => {
  const names = [
    'localhost.evil.test',
    '127.0.0.1.evil.test',
    '[::1',
    '::1',
    '',
    'evil.test',
    '127.1',
    '[::]',
  ];
  expect(names.filter(isLoopback)).toEqual([]);
  expect(['localhost', 'LOCALHOST', '127.0.0.1', '127.255.0.9', '[::1]'].filter(isLoopback)).toHaveLength(5);
});
