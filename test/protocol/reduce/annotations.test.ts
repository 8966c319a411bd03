import { describe } from 'vitest';
import { reduceAnnotations } from '../../../src/protocol/reduce/annotations.ts';
import type {
  Annotation,
  AnnotationEntry,
  AnnotationsState,
} from '../../../src/protocol/state-annotations.ts';
import { itReduces } from '../../support/reduce-rows.ts';

const entry = (id: string, text = id): AnnotationEntry => ({ id, text });
const note = (id: string, more: Partial<Annotation> = {}): Annotation => ({
  id,
  origin: { session: 'ahp-session:/1', chat: 'ahp-chat:/1', turnId: 't1' },
  resource: 'file:///a',
  resolved: false,
  entries: [entry('e1')],
  ...more,
});
const range = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };
const of = (...annotations: Annotation[]): AnnotationsState => ({ annotations });
const base = of(note('n1'), note('n2'));

describe('SHAPES 14.7', () => {
  itReduces(reduceAnnotations, [
    ['annotations/set appends', of(), [{ type: 'annotations/set', annotation: note('n1') }], of(note('n1'))],
    [
      'annotations/set replaces in place',
      base,
      [{ type: 'annotations/set', annotation: note('n1', { resolved: true }) }],
      of(note('n1', { resolved: true }), note('n2')),
    ],
    [
      'annotations/updated writes every given field, the origin as a whole (AN-5)',
      base,
      [
        {
          type: 'annotations/updated',
          annotationId: 'n1',
          origin: { session: 'ahp-session:/2' },
          resource: 'file:///b',
          range,
          resolved: true,
        },
      ],
      of(
        note('n1', { origin: { session: 'ahp-session:/2' }, resource: 'file:///b', range, resolved: true }),
        note('n2'),
      ),
    ],
    [
      'annotations/updated keeps what it does not name',
      of(note('n1', { range, resolved: true })),
      [{ type: 'annotations/updated', annotationId: 'n1', resolved: false }],
      of(note('n1', { range })),
    ],
    [
      'annotations/updated that names nothing is no change',
      base,
      [{ type: 'annotations/updated', annotationId: 'n1' }],
      'same',
    ],
    [
      'annotations/updated of an unknown annotation is no change',
      base,
      [{ type: 'annotations/updated', annotationId: 'n9', resolved: true }],
      'same',
    ],
    ['annotations/removed', base, [{ type: 'annotations/removed', annotationId: 'n1' }], of(note('n2'))],
    [
      'annotations/removed of an unknown annotation is no change',
      base,
      [{ type: 'annotations/removed', annotationId: 'n9' }],
      'same',
    ],
    [
      'annotations/entrySet appends and replaces',
      of(note('n1')),
      [
        { type: 'annotations/entrySet', annotationId: 'n1', entry: entry('e2') },
        { type: 'annotations/entrySet', annotationId: 'n1', entry: entry('e1', 'new') },
      ],
      of(note('n1', { entries: [entry('e1', 'new'), entry('e2')] })),
    ],
    [
      'annotations/entrySet of an unknown annotation is no change',
      base,
      [{ type: 'annotations/entrySet', annotationId: 'n9', entry: entry('e2') }],
      'same',
    ],
    [
      'annotations/entryRemoved, even of the last entry',
      of(note('n1')),
      [{ type: 'annotations/entryRemoved', annotationId: 'n1', entryId: 'e1' }],
      of(note('n1', { entries: [] })),
    ],
    [
      'annotations/entryRemoved of an unknown entry is no change',
      base,
      [{ type: 'annotations/entryRemoved', annotationId: 'n1', entryId: 'e9' }],
      'same',
    ],
    [
      'annotations/entryRemoved of an unknown annotation is no change',
      base,
      [{ type: 'annotations/entryRemoved', annotationId: 'n9', entryId: 'e1' }],
      'same',
    ],
  ]);
});
