// The public round-trip fixtures of AHP: a value of the wire comes back as it went in, through every step this
// project has for its type. The data is not part of the project: it is looked for in `shared/ahp` beside the
// project root and in `spec/upstream`, and without it these tests are skipped and say so.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import {
  ACTIONS,
  type ActionEnvelope,
  isActionType,
  type UncheckedAction,
} from '../../src/protocol/actions.ts';
import { v0_9 } from '../../src/protocol/editions/v0_9.ts';
import { v1 } from '../../src/protocol/editions/v1.ts';
import { failure, notification, parseFrame, success } from '../../src/protocol/rpc.ts';
import { CLIENT_ACTIONS, parseAction } from '../../src/protocol/schema-actions.ts';
import { parseParams } from '../../src/protocol/schema-commands.ts';

interface Fixture {
  type: string;
  input: unknown;
  acceptableOutputs: unknown[];
  preservedOutput?: unknown;
}

/** The strongest step a value went through: a schema, an edition, or only the frame it travels in. */
type Step = 'schema' | 'edition' | 'frame';

const ROOT = ['../../../shared/ahp/', '../../spec/upstream/']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(path));

function names(version: string): string[] {
  const folder = `${ROOT}${version}/test-cases/round-trips`;
  return ROOT !== undefined && existsSync(folder) ? readdirSync(folder).sort() : [];
}

function load(version: string, name: string): Fixture {
  return JSON.parse(readFileSync(`${ROOT}${version}/test-cases/round-trips/${name}`, 'utf8'));
}

/** The message after it was written to the wire and read again. */
function overTheWire(message: object) {
  return parseFrame(JSON.stringify(message));
}

function asResult(input: unknown): unknown {
  const frame = overTheWire(success(1, input));
  return frame.kind === 'response' && 'result' in frame ? frame.result : frame;
}

function asParams(method: string, input: unknown): unknown {
  const frame = overTheWire(notification(method, input));
  return frame.kind === 'notification' ? frame.params : frame;
}

function throughAction(input: UncheckedAction): [Step, unknown] {
  const lifted = v1.liftAction(input);
  if (typeof lifted === 'string') throw new Error(lifted);
  if (CLIENT_ACTIONS.has(input.type)) {
    const result = parseAction(lifted);
    return ['schema', 'action' in result ? asParams('dispatchAction', result.action) : result.problem];
  }
  expect(parseAction(lifted)).toHaveProperty('problem');
  const envelope = { channel: 'ahp-chat:/1', action: lifted, serverSeq: 1 } as ActionEnvelope;
  return ['edition', (throughEnvelope(envelope) as ActionEnvelope).action];
}

function throughEnvelope(envelope: ActionEnvelope): unknown {
  const { type } = envelope.action;
  const newer = isActionType(type) && ACTIONS[type].since === '1.0.0';
  const older = v0_9.lowerEnvelope(envelope);
  if (newer) expect(older).toBeUndefined();
  else expect(asParams('action', older)).toStrictEqual(asParams('action', envelope));
  return asParams('action', v1.lowerEnvelope(envelope));
}

function throughJsonRpc(input: unknown): unknown {
  const frame = overTheWire(input as object);
  if (frame.kind === 'request') {
    return { jsonrpc: '2.0', id: frame.id, method: frame.method, params: frame.params };
  }
  if (frame.kind === 'notification') return notification(frame.method, frame.params);
  if (frame.kind === 'fault') return frame;
  if ('result' in frame) return success(frame.id, frame.result);
  return failure(frame.id, frame.error.code, frame.error.message, frame.error.data);
}

/** A plugin as a client brings it, anything else as the child of one. */
function throughCustomization(input: { type: string }): unknown {
  const plugin = { type: 'plugin', id: 'i', uri: 'u', name: 'n', children: [input] };
  const customizations = [input.type === 'plugin' ? input : plugin];
  const channel = 'ahp-session:/1';
  const params = { channel, activeClient: { clientId: 'c', tools: [], customizations } };
  const [first] = parseParams('createSession', params).activeClient?.customizations ?? [];
  return input.type === 'plugin' ? first : first?.children?.[0];
}

function throughText(input: unknown): unknown {
  const action = {
    type: 'chat/toolCallConfirmed',
    turnId: 't',
    toolCallId: 'c',
    approved: false,
    reason: 'denied',
    reasonMessage: input,
  };
  const result = parseAction(action);
  return 'action' in result ? (result.action as typeof action).reasonMessage : result.problem;
}

function throughClientInfo(input: unknown): unknown {
  const params = { channel: 'ahp-root://', clientId: 'c', protocolVersions: [], clientInfo: input };
  return parseParams('initialize', params).clientInfo;
}

function roundTrip({ type, input }: Fixture): [Step, unknown] {
  if (type === 'StateAction') return throughAction(input as UncheckedAction);
  if (type === 'ActionEnvelope') return ['edition', throughEnvelope(input as ActionEnvelope)];
  if (type === 'Customization') return ['schema', throughCustomization(input as { type: string })];
  if (type === 'StringOrMarkdown') return ['schema', throughText(input)];
  if (type === 'Implementation') return ['schema', throughClientInfo(input)];
  if (type === 'JsonRpcMessage') return ['frame', throughJsonRpc(input)];
  if (type === 'SessionAddedParams') return ['frame', asParams('root/sessionAdded', input)];
  return ['frame', asResult(input)];
}

if (ROOT === undefined) console.log('round trips: no copy of the AHP data present, nothing run');

describe.skipIf(ROOT === undefined)('AHP round-trip fixtures (skipped where no copy of the data is)', () => {
  const current = names('1.0.0');
  const older = names('0.6.0').filter((name) => !current.includes(name));
  const runSet = [
    ...current.map((name) => ['1.0.0', name] as const),
    ...older.map((name) => ['0.6.0', name] as const),
  ];
  const passed: Record<Step, number> = { schema: 0, edition: 0, frame: 0 };

  afterAll(() => {
    const { schema, edition, frame } = passed;
    console.log(
      `round trips: ${schema + edition + frame} of ${runSet.length} fixtures passed: ${schema} through a schema, ` +
        `${edition} through an edition (which changes none of them), ${frame} only through their frame`,
    );
  });

  it('are there', () => {
    expect(runSet.length).toBeGreaterThan(0);
  });

  it.each(runSet)('%s %s', (version, name) => {
    const fixture = load(version, name);
    const [step, output] = roundTrip(fixture);
    const expected = 'preservedOutput' in fixture ? fixture.preservedOutput : fixture.acceptableOutputs[0];
    expect(output).toStrictEqual(expected);
    passed[step]++;
  });
});
