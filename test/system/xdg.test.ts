import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configDir, home, runtimeDir, stateDir } from '../../src/system/xdg.ts';

test('R-005 the runtime directory is the variable, and /run/user/<uid> when that is unset or not absolute', () => {
  const base = mkdtempSync(join(tmpdir(), 'otto-xdg-'));
  const own = join(base, String(process.getuid?.()));
  mkdirSync(own);
  expect(runtimeDir({ XDG_RUNTIME_DIR: '/run/somewhere' }, base)).toBe('/run/somewhere');
  expect(runtimeDir({}, base)).toBe(own);
  expect(runtimeDir({ XDG_RUNTIME_DIR: '' }, base)).toBe(own);
  expect(runtimeDir({ XDG_RUNTIME_DIR: 'run/user' }, base)).toBe(own);
});

test('R-012 without either there is no runtime directory; a file in its place is none', () => {
  const base = mkdtempSync(join(tmpdir(), 'otto-xdg-'));
  expect(runtimeDir({}, base)).toBeUndefined();
  writeFileSync(join(base, String(process.getuid?.())), '');
  expect(runtimeDir({}, base)).toBeUndefined();
});

test('home, state and configuration follow the variables where they are absolute', () => {
  expect(home({ HOME: '/home/x' })).toBe('/home/x');
  expect(home({ HOME: 'x' })).toBe(homedir());
  expect(stateDir({ HOME: '/home/x' })).toBe('/home/x/.local/state');
  expect(stateDir({ HOME: '/home/x', XDG_STATE_HOME: 'rel' })).toBe('/home/x/.local/state');
  expect(stateDir({ HOME: '/home/x', XDG_STATE_HOME: '/s' })).toBe('/s');
  expect(configDir({ HOME: '/home/x' })).toBe('/home/x/.config');
  expect(configDir({ HOME: '/home/x', XDG_CONFIG_HOME: 'rel' })).toBe('/home/x/.config');
  expect(configDir({ HOME: '/home/x', XDG_CONFIG_HOME: '/c' })).toBe('/c');
});
