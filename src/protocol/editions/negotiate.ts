// Chooses the version of a connection and the edition that speaks it (DELTA 2, VE-2 to VE-5). Offers only what
// an edition here covers.
import { ProtocolError } from '../../base/errors.ts';
import { INVALID_PARAMS, UNSUPPORTED_PROTOCOL_VERSION } from '../errors.ts';
import { withBareEdits } from './bare-edits.ts';
import type { Edition } from './edition.ts';
import { v0_9 } from './v0_9.ts';
import { v1 } from './v1.ts';

const EDITIONS: readonly Edition[] = [v1, v0_9];

/** One object each, so that what is written for one reader serves every other of its kind. */
const BARE_EDITS = new Map(EDITIONS.map((edition) => [edition, withBareEdits(edition)]));

/** Exact versions and caret ranges that are accepted, newest first. */
export const SUPPORTED_VERSIONS: readonly string[] = EDITIONS.flatMap((edition) => edition.supported);

type Version = readonly [major: number, minor: number, patch: number];

// Nine digits are more than any release has and still compare exactly.
const VERSION = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/;

/**
 * The highest offered version that an edition accepts, as the very string that was offered.
 * Throws -32602 when any entry is not three integers, and -32005 with `{supportedVersions}` when none is
 * accepted; after the latter the connection is to be closed. `bareEdits`: the variant for Otto's own clients.
 */
export function negotiate(
  offered: readonly string[],
  bareEdits = false,
): { version: string; edition: Edition } {
  let best: { version: string; edition: Edition; parsed: Version } | undefined;
  for (const version of offered) {
    const parsed = parseVersion(version);
    if (parsed === undefined) {
      const shown = JSON.stringify(version.slice(0, 40));
      throw new ProtocolError(
        INVALID_PARAMS,
        `params.protocolVersions: ${shown} is not a version such as "1.0.0"`,
      );
    }
    const edition = EDITIONS.find((candidate) => candidate.supported.some((range) => accepts(range, parsed)));
    if (edition === undefined) continue;
    if (best === undefined || compare(parsed, best.parsed) > 0) best = { version, edition, parsed };
  }
  if (best === undefined) {
    throw new ProtocolError(
      UNSUPPORTED_PROTOCOL_VERSION,
      `none of the offered AHP versions is supported; offer one of ${SUPPORTED_VERSIONS.join(', ')}`,
      { supportedVersions: SUPPORTED_VERSIONS },
    );
  }
  const { version, edition } = best;
  return { version, edition: (bareEdits && BARE_EDITS.get(edition)) || edition };
}

function parseVersion(text: string): Version | undefined {
  const match = VERSION.exec(text);
  return match === null ? undefined : [Number(match[1]), Number(match[2]), Number(match[3])];
}

/** `1.2.3` accepts itself; `^1.2.3` accepts from there up to the next major, `^0.9.0` up to the next minor. */
function accepts(range: string, version: Version): boolean {
  const caret = range.startsWith('^');
  const base = parseVersion(caret ? range.slice(1) : range);
  if (base === undefined) return false;
  const order = compare(version, base);
  if (!caret) return order === 0;
  return order >= 0 && version[0] === base[0] && (base[0] > 0 || version[1] === base[1]);
}

function compare(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}
