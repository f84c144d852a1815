/**
 * Statement shapes, name resolution and refusals, on a real store: see tests/corpus/sql/queries/README.md.
 *
 * @slow 10
 */
import { ServiceError } from '#contract/errors';
import type { LogStore } from '#server/stores/store';
import { itOnStore } from '../support/cases/known-differences';
import { openFixtureStore, readDefinition, readQueryCases, runCase } from '../support/cases/sql/queries';
import type { OpenStore } from '../support/stores/current';

const logsAll = readDefinition('logs.all');
let fixture: OpenStore;
let store: LogStore;

beforeAll(async () => {
  fixture = await openFixtureStore();
  store = fixture.store;
}, 60_000);

afterAll(() => fixture.close());

for (const { file, cases } of readQueryCases()) {
  describe(file, () => {
    for (const testCase of cases) {
      itOnStore(file, testCase.name)(testCase.name, async () => {
        if (testCase.error) {
          const { code, reason, message, at, hint } = testCase.error;
          const error = await runCase(store, logsAll, testCase).then(
            () => undefined,
            (thrown: unknown) => thrown
          );
          if (!(error instanceof ServiceError)) throw error ?? new Error('the query ran');
          const { position, hint: theirs } = error.details;
          const found = {
            code: error.code,
            reason: error.details.reason,
            message: error.message,
            at: position && `${position.line}:${position.column}`,
            hint: theirs,
          };
          const wanted = { code, reason, message, at, hint };
          expect(found).toMatchObject(
            Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
          );
          return;
        }
        const result = await runCase(store, logsAll, testCase);
        const { result: rows } = JSON.parse(Buffer.from(result.bytes).toString('utf8')) as { result: unknown[] };
        if (testCase.count !== undefined) expect(rows).toHaveLength(testCase.count);
        if (testCase.rows) expect(rows).toEqual(testCase.rows);
        if (testCase.columns)
          expect(result.fields.map(({ name, type }) => `${name} ${type}`)).toEqual(testCase.columns);
        expect(result.truncated).toBe(testCase.truncated ?? false);
      });
    }
  });
}
