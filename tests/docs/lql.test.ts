/** docs/lql.md: its examples run, and its tables match the code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lqlError, LQL_REASONS } from '#compiler/lql/errors';
import { openLqlStore, readLqlCases, refusalOf, runLql, validateLql } from '../support/cases/lql';
import type { OpenStore } from '../support/stores/current';

const DOC = readFileSync(join(__dirname, '../../docs/lql.md'), 'utf8');

/** Rows of the table between two marks, as cells. */
function tableRows(mark: string): readonly (readonly string[])[] {
  const table = DOC.slice(DOC.indexOf(`<!-- ${mark} -->`), DOC.indexOf(`<!-- /${mark} -->`));
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  return rows.map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim())
  );
}

const code = (cell: string | undefined) => (cell ?? '').replace(/^`|`$/g, '').replaceAll('\\|', '|');

let fixture: OpenStore;
beforeAll(async () => {
  fixture = await openLqlStore();
}, 60_000);
afterAll(() => fixture.close());

test.each(tableRows('examples').map(([query]) => [code(query)]))(
  'the example %s in docs/lql.md finds events',
  async (lql) => {
    expect((await runLql(fixture.store, { lql })).length).toBeGreaterThan(0);
  }
);

test('docs/lql.md lists the reasons of the code, each with its error code', () => {
  const place = { offset: 0, end: 0, line: 1, column: 1 };
  expect(tableRows('reasons').map(([reason, outer]) => [code(reason), code(outer)])).toEqual(
    LQL_REASONS.map((reason) => [reason, lqlError(reason, '', place).code])
  );
});

test('each reason has a case, except those for texts that are too long', () => {
  const seen = new Set(readLqlCases().flatMap(({ cases }) => cases.map(({ error }) => error?.['reason'])));
  expect(LQL_REASONS.filter((reason) => !seen.has(reason))).toEqual(['too_long', 'too_many_clauses']);
});

test('docs/lql.md lists the warnings of the code', () => {
  const seen = new Set(readLqlCases().flatMap(({ cases }) => cases.flatMap(({ warnings }) => warnings ?? [])));
  expect(tableRows('warnings').map(([warning]) => code(warning))).toEqual([...seen].sort());
});

test('the service returns the error and the canonical text that docs/lql.md shows', () => {
  const shown = JSON.parse(/```json\n([^]*?)```/.exec(DOC)?.[1] ?? '') as { error: object };
  const refused = refusalOf(fixture.store, { lql: 'm.response.status_code:ok' });
  expect({ ...refused.toBody(), message: refused.sentence }).toEqual(shown.error);
  const [, text, canonical] = /^`(chart:.*)` is `(.*)`\.$/m.exec(DOC) ?? [];
  expect(validateLql(fixture.store, { lql: text ?? '' }).canonical).toBe(canonical);
});
