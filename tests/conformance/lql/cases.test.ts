/**
 * What each LQL text means: canonical form, statement, rows or refusal, on a real store. See
 * tests/corpus/lql/README.md.
 *
 * @slow 25
 */
import type { LogStore } from '#server/stores/store';
import { openLqlStore, readLqlCases, refusalOf, runLql, runSql, validateLql } from '../../support/cases/lql';
import { itOnStore } from '../../support/cases/known-differences';
import type { OpenStore } from '../../support/stores/current';

let fixture: OpenStore;
let store: LogStore;

beforeAll(async () => {
  fixture = await openLqlStore();
  store = fixture.store;
}, 60_000);

afterAll(() => fixture.close());

for (const { file, cases } of readLqlCases()) {
  describe(file, () => {
    for (const testCase of cases) {
      const { lql, error } = testCase;
      const title = `${testCase.name}: ${lql}`;
      itOnStore(file, title)(title, async () => {
        if (error) {
          const refused = refusalOf(store, testCase);
          const { position } = refused.details;
          const at = { line: position?.line, column: position?.column };
          expect({ code: refused.code, message: refused.message, ...refused.details, ...at }).toMatchObject(error);
          if (error['line'] === undefined) expect(at).toEqual({ line: 1, column: Number(error['offset']) + 1 });
          return;
        }
        const { canonical, sql = '', warnings = [] } = validateLql(store, testCase);
        expect(canonical).toBe(testCase.canonical ?? lql);
        if (testCase.sql !== undefined) expect(sql).toBe(testCase.sql);
        if (testCase.where !== undefined) expect(conditionOf(sql)).toBe(testCase.where);
        expect(warnings.map(({ code }) => code)).toEqual(testCase.warnings ?? []);

        const rows = await runLql(store, testCase);
        if (testCase.rows !== undefined) expect(rows).toEqual(testCase.rows);
        if (testCase.ids !== undefined) expect(rows.map(({ id }) => id)).toEqual(testCase.ids);

        const again = { ...testCase, lql: canonical };
        expect(validateLql(store, again).canonical).toBe(canonical);
        expect(await runLql(store, again)).toEqual(rows);
        expect(await runSql(store, { ...testCase, sql })).toEqual(rows);
      });
    }
  });
}

function conditionOf(sql: string): string {
  const start = sql.indexOf(' WHERE ') + ' WHERE '.length;
  const end = sql.search(/ (?:GROUP BY|ORDER BY) (?!.* (?:GROUP BY|ORDER BY) )/);
  return sql.slice(start, end < 0 ? undefined : end);
}
