// `spec/coverage.md` against the tables of the code. Cells are read by column, so the page stays prose otherwise.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ACCEPTED_ACTIONS } from '../../src/host/dispatch.ts';
import { ACTIONS } from '../../src/protocol/actions.ts';
import * as errors from '../../src/protocol/errors.ts';
import { PARAMS } from '../../src/protocol/schema-commands.ts';

const page = readFileSync(new URL('../../spec/coverage.md', import.meta.url), 'utf8');

type Row = Record<string, string>;

/** The rows of the table under `heading` (the first table of the page for none), by column name. */
function table(heading?: string): Row[] {
  const from = heading === undefined ? 0 : page.indexOf(`\n## ${heading}\n`);
  if (from < 0) throw new Error(`spec/coverage.md has no section "${heading}"`);
  const lines = page.slice(from).split('\n');
  const start = lines.findIndex((line) => line.startsWith('|'));
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
  const [columns = [], , ...rows] = lines.slice(start, start + length).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
  return rows.map((cells) =>
    Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])),
  );
}

const fromClients = table('Commands, client to host');
const ours = table('Our own methods');
const toClients = table('Commands, host to client');
const notifications = table('Notifications');
const actions = table('Actions');
const isServed = (row: Row) => row['served'] === 'yes';
const column = (rows: Row[], name: string) => rows.map((row) => row[name]);
const incoming = notifications.filter((row) => row['direction'] === 'in');

describe('spec/coverage.md', () => {
  it('calls exactly those methods served that have a schema for their params', () => {
    const served = [...fromClients, ...ours, ...incoming].filter(isServed);
    expect(column(served, 'method').sort()).toEqual(Object.keys(PARAMS).sort());
  });

  it('has every command and notification of AHP 1.0.0 once', () => {
    expect([fromClients.length, toClients.length, notifications.length]).toEqual([31, 10, 11]);
    for (const rows of [fromClients, ours, toClients, notifications]) {
      expect(new Set(column(rows, 'method')).size).toBe(rows.length);
    }
  });

  it('has every action of the table once, in its order, with who sends it and since when', () => {
    const expected = Object.entries(ACTIONS).map(([action, { by, since }]) => ({
      action,
      by,
      since: since ?? '–',
    }));
    expect(expected).toHaveLength(106);
    expect(actions.map(({ action, by, since }) => ({ action, by, since }))).toEqual(expected);
  });

  it('calls exactly those client actions served that the host has a rule for', () => {
    const served = actions.filter((row) => row['by'] === 'client').filter(isServed);
    expect(column(served, 'action').sort()).toEqual([...ACCEPTED_ACTIONS].sort());
  });

  it('says yes or no, why, and what proves it in every row', () => {
    for (const row of [...fromClients, ...toClients, ...notifications, ...actions]) {
      expect(row).toMatchObject({
        served: expect.stringMatching(/^(yes|no)$/),
        'proven by': expect.stringMatching(/^(fixture|schema|reading)$/),
      });
      if (!isServed(row)) expect(row).toMatchObject({ why: expect.stringMatching(/\S/) });
    }
  });

  it('sums up its own rows', () => {
    const count = (rows: Row[]) => ({
      served: String(rows.filter(isServed).length),
      of: String(rows.length),
    });
    const byClient = actions.filter((row) => row['by'] === 'client');
    const byHost = actions.filter((row) => row['by'] === 'host');
    expect(table()).toEqual([
      { '': 'commands, client to host', ...count(fromClients) },
      { '': 'commands, host to client', ...count(toClients) },
      { '': 'notifications', ...count(notifications) },
      { '': 'actions clients may dispatch', ...count(byClient) },
      { '': 'actions of the host', ...count(byHost) },
    ]);
  });

  it('lists every error code there is', () => {
    const codes = Object.values(errors).map(String);
    expect(column(table('Error codes'), 'code').sort()).toEqual(codes.sort());
  });

  it('names the departures: a terminal writes too (R-267), one folder per session', () => {
    expect(page).toContain('**A terminal may write the history too.**');
    expect(page).toMatch(/`createSession` takes exactly one/);
  });
});
