// Where each key of a TOML text stands, since the parser tells positions for slips of syntax only.
// Takes text that was parsed without an error; checks nothing itself and reads no value.

export type KeyPath = readonly (string | number)[];

/** Both counted from 1. */
interface Position {
  line: number;
  column: number;
}

/** The position of the key at `path`, or of the nearest table or list around it that the text names. */
export type Locator = (path: KeyPath) => Position;

export function locator(text: string): Locator {
  const offsets = new Scan(text).offsets;
  return (path) => {
    for (let length = path.length; length > 0; length--) {
      const offset = offsets.get(nameOf(path.slice(0, length)));
      if (offset !== undefined) return positionOf(text, offset);
    }
    return { line: 1, column: 1 };
  };
}

const nameOf = (path: KeyPath): string => JSON.stringify(path);

function positionOf(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

const BLANK = /[ \t]*/y;
const SPACE = /(?:[ \t\r\n]|#[^\n]*)*/y;
const BARE_KEY = /[\w-]+/y;
/** A string of any of the four kinds; the ones of several lines first, since they begin like the others. */
const STRING = /"""(?:\\[\s\S]|(?!""")[\s\S])*"{3,5}|'''[\s\S]*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'/y;
/** Numbers, dates, true and false. */
const PLAIN = /[^,\]}\r\n#]+/y;

class Scan {
  /** By the JSON text of a path: where its key begins; of a list's item: where the item begins. */
  readonly offsets = new Map<string, number>();
  readonly #text: string;
  #at = 0;
  /** How many tables a list of tables has so far, by the JSON text of its path. */
  readonly #tables = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
    let table: KeyPath = [];
    for (this.#take(SPACE); this.#at < text.length; this.#take(SPACE)) {
      if (text.startsWith('[[', this.#at)) table = this.#header(2);
      else if (text[this.#at] === '[') table = this.#header(1);
      else this.#pair(table);
    }
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #note(path: KeyPath, offset: number): void {
    const name = nameOf(path);
    if (!this.offsets.has(name)) this.offsets.set(name, offset);
  }

  /** `[a.b]`, or `[[a.b]]` with two brackets; the path of the table that it begins. */
  #header(brackets: 1 | 2): KeyPath {
    this.#at += brackets;
    let path: KeyPath = [];
    const keys = this.#keys();
    for (const [index, { key, offset }] of keys.entries()) {
      path = [...path, key];
      this.#note(path, offset);
      const name = nameOf(path);
      const tables = this.#tables.get(name) ?? 0;
      if (brackets === 2 && index === keys.length - 1) {
        this.#tables.set(name, tables + 1);
        path = [...path, tables];
        this.#note(path, offset);
      } else if (tables > 0) path = [...path, tables - 1];
    }
    this.#at += brackets;
    return path;
  }

  /** A dotted key; ends before what follows it. */
  #keys(): { key: string; offset: number }[] {
    const keys = [];
    do {
      this.#take(BLANK);
      const offset = this.#at;
      const quoted = this.#take(STRING);
      const key = quoted === '' ? this.#take(BARE_KEY) : unquoted(quoted);
      keys.push({ key, offset });
      this.#take(BLANK);
    } while (this.#passes('.'));
    return keys;
  }

  #passes(mark: string): boolean {
    if (this.#text[this.#at] !== mark) return false;
    this.#at++;
    return true;
  }

  #pair(table: KeyPath): void {
    let path = table;
    const before = this.#at;
    for (const { key, offset } of this.#keys()) {
      path = [...path, key];
      this.#note(path, offset);
    }
    this.#passes('=');
    this.#take(BLANK);
    this.#value(path);
    // Text that is no TOML must not hold us here for ever.
    if (this.#at === before) this.#at = this.#text.length;
  }

  #value(path: KeyPath): void {
    if (this.#passes('[')) this.#items(']', (index) => this.#item([...path, index]));
    else if (this.#passes('{')) this.#items('}', () => this.#pair(path));
    else if (this.#take(STRING) === '') this.#take(PLAIN);
  }

  #item(path: KeyPath): void {
    this.#note(path, this.#at);
    this.#value(path);
  }

  /** What stands between two brackets, one `read` for each of it; the first bracket is passed already. */
  #items(end: string, read: (index: number) => void): void {
    for (let index = 0; this.#at < this.#text.length; index++) {
      this.#take(SPACE);
      if (this.#passes(end)) return;
      const before = this.#at;
      read(index);
      this.#take(SPACE);
      this.#passes(',');
      if (this.#at === before) return;
    }
  }
}

function unquoted(text: string): string {
  const inner = text.slice(1, -1);
  if (text.startsWith("'")) return inner;
  return inner.replace(/\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|x([\da-fA-F]{2})|(.))/g, (_, u, U, x, mark) =>
    mark === undefined ? String.fromCodePoint(Number.parseInt(u ?? U ?? x, 16)) : (ESCAPES[mark] ?? mark),
  );
}

const ESCAPES: Record<string, string> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', e: '\u001b' };
