// Runs a table of reducer cases: a row says what a state becomes, or that it stays the very same object.
import { expect, it } from 'vitest';
import type { Action } from '../../src/protocol/actions.ts';
import { deepFreeze } from './deep-freeze.ts';

type Reduce<S> = (state: S, action: Action) => S;

/** Name, state before, actions, state after. `same` means the identical object. */
export type Row<S> = readonly [name: string, before: S, actions: readonly Action[], after: S | 'same'];

/** Folds frozen actions over a frozen state, freezing each result. */
export function fold<S>(reduce: Reduce<S>, before: S, actions: readonly Action[]): S {
  return actions.reduce((state, action) => deepFreeze(reduce(state, deepFreeze(action))), deepFreeze(before));
}

export function itReduces<S>(reduce: Reduce<S>, rows: readonly Row<S>[]): void {
  it.each(rows)('%s', (_name, before, actions, after) => {
    const result = fold(reduce, before, actions);
    if (after === 'same') expect(result).toBe(before);
    else expect(result).toStrictEqual(after);
  });
}
