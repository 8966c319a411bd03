import { describe, expect, it } from 'vitest';
import type { ProtocolError } from '../../../src/base/errors.ts';
import { negotiate, SUPPORTED_VERSIONS } from '../../../src/protocol/editions/negotiate.ts';

function refusal(offered: string[]): ProtocolError {
  try {
    negotiate(offered);
  } catch (error) {
    return error as ProtocolError;
  }
  throw new Error(`accepted ${JSON.stringify(offered)}`);
}

describe('negotiate', () => {
  it.each<[string[], string, string]>([
    [['1.0.0'], '1.0.0', 'v1'],
    [['0.9.0'], '0.9.0', 'v0_9'],
    [['0.10.0'], '0.10.0', 'v1'],
    [['1.0.0', '0.9.0'], '1.0.0', 'v1'],
    [['0.9.0', '1.0.0'], '1.0.0', 'v1'],
    [['1.0.0', '0.10.0', '0.9.0'], '1.0.0', 'v1'],
    [['0.9.0', '0.10.0'], '0.10.0', 'v1'],
    [['1.4.0'], '1.4.0', 'v1'],
    [['1.4.0', '1.10.2', '1.9.9'], '1.10.2', 'v1'],
    [['1.0.0', '1.0.7'], '1.0.7', 'v1'],
    [['2.0.0', '1.0.0'], '1.0.0', 'v1'],
    [['0.9.12', '0.9.2'], '0.9.12', 'v0_9'],
    [['0.9.0', '0.7.0', '0.6.0', '0.5.2', '0.5.1'], '0.9.0', 'v0_9'],
    [['0.11.0', '0.10.1', '0.9.3'], '0.9.3', 'v0_9'],
    [['1.0.0', '1.0.0'], '1.0.0', 'v1'],
    [['1.999999999.0', '1.2.0'], '1.999999999.0', 'v1'],
  ])(
    'of %j takes %s, the highest accepted, in edition %s (VE-2, VE-4, DELTA 2)',
    (offered, version, edition) => {
      const result = negotiate(offered);
      expect([result.version, result.edition.name]).toEqual([version, edition]);
    },
  );

  it.each<[string[]]>([
    [[]],
    [['9.9.9']],
    [['2.0.0']],
    [['0.10.1']],
    [['0.11.0']],
    [['0.8.0', '0.7.0']],
    [['0.5.1', '0.6.0']],
    [['0.0.0']],
    [['10.0.0', '0.90.0']],
  ])('of %j takes none: -32005 with the supported versions (VE-5, F-115)', (offered) => {
    expect(refusal(offered)).toMatchObject({
      name: 'ProtocolError',
      code: -32005,
      data: { supportedVersions: ['^1.0.0', '0.10.0', '^0.9.0'] },
    });
  });

  it.each([
    'abc',
    '',
    '1',
    '1.0',
    '1.0.0.0',
    '01.0.0',
    '1.00.0',
    '1.0.00',
    'v1.0.0',
    '^1.0.0',
    '1.0.0-beta.1',
    '1.0.0+build',
    ' 1.0.0',
    '1.0.0\n',
    '-1.0.0',
    '1.x.0',
    '1.0.0e1',
    '١.0.0',
    `1.0.${'9'.repeat(1000)}`,
  ])('refuses the malformed version %j with -32602, whatever else is offered (VE-1, F-115)', (malformed) => {
    for (const offered of [[malformed], ['1.0.0', malformed], [malformed, '1.0.0']]) {
      const { code, message } = refusal(offered);
      expect(code).toBe(-32602);
      expect(message).toContain('params.protocolVersions');
      expect(message.length).toBeLessThan(160);
    }
  });

  it('names every supported version in what it says to a person', () => {
    for (const version of SUPPORTED_VERSIONS) expect(refusal([]).message).toContain(version);
  });
});
