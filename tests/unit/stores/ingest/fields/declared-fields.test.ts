/** A declaration with another type than that of stored events is refused with what to do about it. */
import { declareFields, ensureDeclaredTypes } from '#server/stores/ingest/fields/declared-fields';
import { FieldTree } from '#server/stores/ingest/fields/field-tree';
import { NUMBERED_NAMES } from '#server/stores/duckdb/tables/field-name';
import type { ScalarType, Source } from '#contract/events/source';

function refusalOf(stored: Readonly<Record<string, ScalarType>>, fields: Source['fields']): unknown {
  const tree = new FieldTree([], NUMBERED_NAMES);
  for (const [key, type] of Object.entries(stored))
    tree.restore([key], { kind: 'leaf', type, column: key, misfits: 0, tenant: null });
  declareFields(tree, fields);
  try {
    ensureDeclaredTypes(tree, { name: 'app', fields });
    return null;
  } catch (error) {
    return error;
  }
}

test('whole numbers that are declared with a fraction become it by an event', () => {
  expect(refusalOf({ ms: 'INT64' }, { ms: 'FLOAT64' })).toMatchObject({
    code: 'definition_invalid',
    message: expect.stringContaining('"ms" is declared as FLOAT64 and stored as INT64'),
    details: { hint: expect.stringContaining('send an event with a fraction') },
  });
});

test('other types stay, unless the source begins again without its events', () => {
  const refused: readonly Source['fields'][] = [{ ms: 'BOOL' }, { ms: 'FLOAT64', route: 'INT64' }];
  for (const fields of refused)
    expect(refusalOf({ ms: 'INT64', route: 'STRING' }, fields)).toMatchObject({
      details: { hint: expect.stringContaining('events=delete') },
    });
  expect(refusalOf({ ms: 'INT64' }, { ms: 'INT64', route: 'STRING' })).toBeNull();
});
