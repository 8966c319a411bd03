// Channel and file URIs (SHAPES 1.3, facts 4.2). URIs are opaque keys once made; only these forms are read.
import type { Uri } from './state-common.ts';

const SESSION_PREFIX = 'ahp-session:/';
const CHAT_PREFIX = 'ahp-chat:/';
const FILE_PREFIX = 'file://';

export function sessionUri(id: string): Uri {
  return SESSION_PREFIX + id;
}

export function chatUri(id: string): Uri {
  return CHAT_PREFIX + id;
}

/**
 * Whether `uri` can name a session: the scheme and an id that a person can type and a screen can show, so at most 256
 * characters without spaces or invisible ones.
 */
export function isSessionUri(uri: Uri): boolean {
  return uri.startsWith(SESSION_PREFIX) && /^[^\s\p{C}]{1,256}$/u.test(uri.slice(SESSION_PREFIX.length));
}

/** Whether the scheme is one whose channels this host could have (S-10). */
export function isKnownScheme(uri: Uri): boolean {
  return uri.startsWith(SESSION_PREFIX) || uri.startsWith(CHAT_PREFIX) || uri.startsWith('ahp-root:');
}

/** The id of a session URI, which is what people see and type. */
export function sessionId(uri: Uri): string {
  return uri.startsWith(SESSION_PREFIX) ? uri.slice(SESSION_PREFIX.length) : uri;
}

/** `file://` URI of an absolute path: everything but `A-Za-z0-9-._~/` is percent-encoded. */
export function fileUri(path: string): Uri {
  const encoded = path.split('/').map(encodeSegment).join('/');
  return FILE_PREFIX + encoded;
}

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The absolute path of a `file://` URI without a host, or undefined when it is not one. */
export function filePath(uri: Uri): string | undefined {
  if (!uri.startsWith(`${FILE_PREFIX}/`)) return undefined;
  try {
    const path = decodeURIComponent(uri.slice(FILE_PREFIX.length));
    return path.includes('\0') ? undefined : path;
  } catch {
    return undefined;
  }
}
