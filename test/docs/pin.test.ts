// `spec/pin.json` against the editions: what the pin says we accept is what is negotiated.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { negotiate, SUPPORTED_VERSIONS } from '../../src/protocol/editions/negotiate.ts';

const pin = JSON.parse(readFileSync(new URL('../../spec/pin.json', import.meta.url), 'utf8'));

it('the pin lists the accepted versions as the editions do', () => {
  expect(pin.accepts).toEqual(SUPPORTED_VERSIONS);
});

it('the pinned core is accepted and its data is pinned to a commit', () => {
  expect(negotiate([pin.core]).version).toBe(pin.core);
  for (const version of [pin.core, '0.6.0']) {
    expect(pin.data[version].commit).toMatch(/^[0-9a-f]{40}$/);
    for (const { files, sha256 } of Object.values<{ files: number; sha256: string }>(
      pin.data[version].digests,
    )) {
      expect(files).toBeGreaterThan(0);
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    }
  }
});
