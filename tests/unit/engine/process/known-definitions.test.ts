/** Definitions of the engine: which of them are compiled before their first use. */
import { savedQuerySchema, type SavedQuery } from '#contract/queries/saved-query';
import { definitionDigest } from '#server/catalog/definitions/definition-digest';
import { KnownDefinitions } from '#server/engine/process/known-definitions';

const definition = (query: string): SavedQuery =>
  savedQuerySchema.parse({ id: '00000000-0000-4000-8000-000000000001', name: 'test.query', query });

const FORMER = definition('SELECT 1 AS a');
const PRESENT = definition('SELECT 2 AS a');

it('a checked former definition does not make the present one with its id checked', () => {
  const known = new KnownDefinitions();
  known.replace([], [FORMER], []);
  known.amend([PRESENT], []);
  const former = known.find(FORMER.id, definitionDigest(FORMER))!;
  expect(known.isChecked(former)).toBe(false);
  known.noteChecked(former);
  expect(known.isChecked(former)).toBe(true);
  expect(known.isChecked(known.get(PRESENT.id)!)).toBe(false);
});

it('definitions that were compiled before are not compiled again, and former ones of another process are', () => {
  const known = new KnownDefinitions();
  known.replace([PRESENT], [], [FORMER]);
  expect(known.isChecked(known.get(PRESENT.id)!)).toBe(true);
  expect(known.isChecked(known.find(FORMER.id, definitionDigest(FORMER))!)).toBe(false);
});

it('a definition that is sent again stays checked, and is no former one', () => {
  const known = new KnownDefinitions();
  known.replace([PRESENT], [], []);
  known.amend([{ ...PRESENT }], []);
  expect(known.isChecked(known.get(PRESENT.id)!)).toBe(true);
  known.amend([], [PRESENT.id]);
  expect(known.find(PRESENT.id, definitionDigest(PRESENT))).toBe(PRESENT);
});
