// Copies that keep identity: each of these returns the very object it was given when nothing would differ, so
// that an unchanged state stays the same object all the way up. None of them changes what it is given.

/** `state` with `key` set, or without it where `value` is undefined (only optional keys take undefined). */
export function setKey<S extends object, K extends keyof S>(state: S, key: K, value: S[K]): S {
  if (value === undefined) {
    if (!Object.hasOwn(state, key)) return state;
    const rest = { ...state };
    delete rest[key];
    return rest;
  }
  return Object.is(state[key], value) ? state : { ...state, [key]: value };
}

/** `target` with the members of `changes` laid over it, one level deep. */
export function merge<S extends object>(target: S, changes: Partial<S>): S {
  const keys = Object.keys(changes) as (keyof S)[];
  const same = keys.every((key) => Object.is(target[key], changes[key]));
  return same ? target : { ...target, ...changes };
}

/** `list` with `item` in place of the first entry that has the same `key`, else behind all others. */
export function upsert<T, K extends keyof T>(list: readonly T[] | undefined, key: K, item: T): readonly T[] {
  if (!list) return [item];
  const index = list.findIndex((other) => other[key] === item[key]);
  return index < 0 ? [...list, item] : list.with(index, item);
}

/** `list` without the entries that `drop` names; an absent list stays absent, an emptied one stays `[]`. */
export function without<L extends readonly unknown[] | undefined>(
  list: L,
  drop: (item: NonNullable<L>[number]) => boolean,
): L {
  return list?.some(drop) ? (list.filter((item) => !drop(item)) as readonly unknown[] as L) : list;
}

/** `[]` of the same list: the list itself where it is empty already. */
export function emptied<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? list : [];
}

/** The list, or undefined where it is empty: for keys that are absent when empty. */
export function absentIfEmpty<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list?.length === 0 ? undefined : list;
}

/** `list` with `value` at the end, unless it is in it already (SHAPES 14.2, 14.3 `workingDirectorySet`). */
export function addOnce<T>(list: readonly T[] | undefined, value: T): readonly T[] {
  if (!list) return [value];
  return list.includes(value) ? list : [...list, value];
}

export function sameItems<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

/** `T` whose optional members may also be written as undefined. */
type Loose<T> = { [K in keyof T]: Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K] };

/** The object without its undefined members: absent is a missing key on the wire and in state (SHAPES 1.1). */
export function present<T extends object>(fields: Loose<T>): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
