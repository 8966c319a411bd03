import { expect, test } from 'vitest';
import { createLog } from '../../src/base/log.ts';
import { journalSink, logLevel } from '../../src/system/journal.ts';

function record(env: Record<string, string>) {
  const lines: string[] = [];
  const sink = journalSink(
    env,
    (line) => lines.push(line),
    () => Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  );
  return { lines, log: createLog(sink) };
}

test('under journald a line carries its priority and no time', () => {
  const { lines, log } = record({ JOURNAL_STREAM: '8:1234', OTTO_AGENTS_LOG: 'debug' });
  log.debug('d');
  log.info('i');
  log.scope('server').scope('outbox').warn('w');
  log.error('e');
  expect(lines).toEqual(['<7>d\n', '<6>i\n', '<4>server.outbox: w\n', '<3>e\n']);
});

test('on a terminal a line carries time, level and scope', () => {
  const { lines, log } = record({});
  log.scope('host').info('ready');
  expect(lines).toEqual(['2026-01-02T03:04:05.006Z info host: ready\n']);
});

test('the level drops what is below it; the default is info', () => {
  const quiet = record({ OTTO_AGENTS_LOG: 'error' });
  quiet.log.warn('no');
  quiet.log.error('yes');
  expect(quiet.lines).toEqual(['2026-01-02T03:04:05.006Z error yes\n']);
  const usual = record({ OTTO_AGENTS_LOG: '' });
  usual.log.debug('no');
  usual.log.info('yes');
  expect(usual.lines).toHaveLength(1);
});

test('a level that is none is a usage error that lists the levels', () => {
  expect(() => logLevel({ OTTO_AGENTS_LOG: 'verbose' })).toThrowError(
    expect.objectContaining({ exitCode: 2, message: expect.stringContaining('debug, info, warn, error') }),
  );
});

test('nobody can forge a line or paint the terminal through what is logged', () => {
  const { lines, log } = record({ JOURNAL_STREAM: '8:1' });
  log.info('a\n<3>forged\r\x1b[31m\u2028\u202e');
  expect(lines).toEqual(['<6>a\\n<3>forged\\u000d\\u001b[31m\\u2028\\u202e\n']);
});
