// The form of an `elicitation/create` as an AHP input request (acp-to-ahp 4.1). Pure; reads the message as it came,
// since forms are written in several dialects. Fields that cannot be asked are left out, or the form is declined.
import type { ChatInputQuestion, ChatInputRequest } from '../../protocol/state-chat.ts';
import { asList, asNumber, asObject, asText, inside, type JsonObject, objectsOf } from './json.ts';

/** Where what is typed beside the options of a select goes. */
interface TypedField {
  field: string;
  /** The option that stands for a typed answer alone, if the form has one. */
  alone?: string;
}

export interface Form {
  request: ChatInputRequest;
  /** By the id of the select. */
  typed: ReadonlyMap<string, TypedField>;
}

type AskedAs<Q> = Q extends unknown ? Omit<Q, 'id' | 'message' | 'title' | 'required'> : never;
/** A question without its words. */
type Kind = AskedAs<ChatInputQuestion>;
type Choice = Extract<Kind, { options: unknown }>['options'][number];

interface Field {
  name: string;
  schema: JsonObject;
  required: boolean;
  /** Missing when nothing of the sort can be asked. */
  kind: Kind | undefined;
}

const ALONE = 'None of the above';

/** Reads the params of `elicitation/create` in form mode; `unfit` says why the form cannot be answered at all. */
export function readForm(params: JsonObject, id: string): Form | { unfit: string } {
  const schema = inside(params, 'requestedSchema');
  const required: readonly unknown[] = asList(schema?.['required']);
  const fields = Object.entries(inside(schema, 'properties') ?? {}).map(([name, value]): Field => {
    const property = asObject(value) ?? {};
    return { name, schema: property, required: required.includes(name), kind: readKind(property) };
  });
  const unfit = unfitness(fields, required);
  if (unfit !== undefined) return { unfit };
  const typed = foldTyped(fields);
  const folded = new Set([...typed.values()].map(({ field }) => field));
  const asked = fields.filter(({ name, kind }) => kind !== undefined && !folded.has(name));
  const message = asText(params['message']);
  // Claude puts the words of a lone question into the message of the request.
  const isLone = asked.length === 1 && asked.every((field) => words(field).text === undefined);
  const questions = asked.flatMap((field) =>
    question(field, typed.has(field.name), isLone ? message : undefined),
  );
  return { request: { id, ...(message !== undefined && !isLone && { message }), questions }, typed };
}

/** Why no answer could ever be given or kept to oneself (acp-to-ahp 4.1). */
function unfitness(fields: readonly Field[], required: readonly unknown[]): string | undefined {
  if (fields.some(({ schema }) => inside(schema, '_meta', 'codex')?.['isSecret'] === true)) {
    return 'it asks for a secret, and everybody who sees this chat could read the answer';
  }
  const missing = required.find((name) => !fields.some((field) => field.name === name && field.kind));
  return missing === undefined
    ? undefined
    : `its required field "${missing}" is of a kind that cannot be asked`;
}

function question(field: Field, withText: boolean, instead: string | undefined): ChatInputQuestion[] {
  const { name, required, kind } = field;
  if (kind === undefined) return [];
  const common = { id: name, ...wording(field, instead), ...(required && { required: true }) };
  // Always written: a client may take its absence for yes.
  return ['options' in kind ? { ...common, ...kind, allowFreeformInput: withText } : { ...common, ...kind }];
}

/** The words of a question and its heading; Codex has the two the other way round. */
function words({ schema }: Field): { text: string | undefined; heading: string | undefined } {
  const title = asText(schema['title']);
  const description = asText(schema['description']);
  if (inside(schema, '_meta', 'codex') === undefined) return { text: description, heading: title };
  return { text: title, heading: description };
}

function wording(field: Field, instead: string | undefined): { message: string; title?: string } {
  const { text, heading } = words(field);
  const message = text ?? instead ?? heading ?? field.name;
  return { message, ...(heading !== undefined && heading !== message && { title: heading }) };
}

function readKind(schema: JsonObject): Kind | undefined {
  const types = schema['type'];
  const type = Array.isArray(types) ? types.find((each) => each !== 'null') : types;
  const initial = schema['default'];
  const choices = readChoices(schema, [initial]);
  if ((type === 'string' || type === undefined) && choices !== undefined) {
    return { kind: 'single-select', options: choices };
  }
  switch (type) {
    case 'string': {
      const format = asText(schema['format']);
      return {
        kind: 'text',
        ...(format !== undefined && { format }),
        ...bounds(schema, 'minLength', 'maxLength'),
        ...(typeof initial === 'string' && { defaultValue: initial }),
      };
    }
    case 'number':
    case 'integer': {
      const number = asNumber(initial);
      return {
        kind: type,
        ...bounds(schema, 'minimum', 'maximum'),
        ...(number !== undefined && { defaultValue: number }),
      };
    }
    case 'boolean':
      return { kind: 'boolean', ...(typeof initial === 'boolean' && { defaultValue: initial }) };
    case 'array': {
      const options = readChoices(inside(schema, 'items') ?? {}, asList(initial));
      return options && { kind: 'multi-select', options, ...bounds(schema, 'minItems', 'maxItems') };
    }
    default:
      return undefined;
  }
}

function bounds(schema: JsonObject, least: string, most: string): { min?: number; max?: number } {
  const min = asNumber(schema[least]);
  const max = asNumber(schema[most]);
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

/** The choices of a field or of the items of one, in any of their dialects (F-073); `undefined` when it has none. */
function readChoices(schema: JsonObject, recommended: readonly unknown[]): Choice[] | undefined {
  const titled = [schema['oneOf'], schema['anyOf']].find(Array.isArray);
  const names = asList(schema['enumNames']);
  const plain = asList(schema['enum']).map((value, at): JsonObject => ({ const: value, title: names[at] }));
  const choices = new Map<string, Choice>();
  for (const { const: value, title, description } of titled ? objectsOf(titled) : plain) {
    if (typeof value !== 'string' || choices.has(value)) continue;
    const text = asText(description);
    choices.set(value, {
      id: value,
      label: asText(title) ?? value,
      ...(text !== undefined && { description: text }),
      ...(recommended.includes(value) && { recommended: true }),
    });
  }
  return choices.size === 0 ? undefined : [...choices.values()];
}

/** Finds the text fields that are the "Other" of a select (acp-to-ahp 4.1, conventions). */
function foldTyped(fields: readonly Field[]): Map<string, TypedField> {
  const typed = new Map<string, TypedField>();
  for (const { name, schema, required, kind } of fields) {
    // A field that has to be filled could stay empty once it is part of another question.
    if (kind?.kind !== 'text' || required) continue;
    const mark = typedMark(schema);
    if (mark?.['isCustomAnswer'] === false) continue;
    const marked = asText(mark?.['questionId']);
    const target = fields.find((field) =>
      marked === undefined ? `${field.name}_custom` === name : field.name === marked,
    );
    if (!target?.kind || !('options' in target.kind) || typed.has(target.name)) continue;
    const alone = mark?.['role'] === 'user_note' && target.kind.options.some(({ id }) => id === ALONE);
    if (!alone && target.required && !mayBeEmpty(target.kind)) continue;
    typed.set(target.name, { field: name, ...(alone && { alone: ALONE }) });
  }
  return typed;
}

/**
 * Whether nothing picked is a value too. Where it is not, folding would let a form be accepted in words alone whose
 * required select then has no value (F-071): there the text stays a question of its own.
 */
function mayBeEmpty(kind: Kind): boolean {
  return kind.kind === 'multi-select' && (kind.min ?? 0) <= 0;
}

/** What Codex or Claude say about a field that is the typed answer of the question `questionId`. */
function typedMark(schema: JsonObject): JsonObject | undefined {
  const meta = inside(schema, '_meta');
  const note = inside(meta, 'codex');
  if (note?.['role'] === 'user_note') return note;
  return inside(meta, '_askUserQuestionCustomAnswer') ?? inside(meta, 'jetbrains', 'air', 'customAnswer');
}
