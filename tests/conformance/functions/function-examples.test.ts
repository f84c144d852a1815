/** The examples of docs/sql.md give on every store what the page says. */
import { toComparable } from '../../support/cases/sql/functions';
import { openFixtureStore, readDefinition, runCase } from '../../support/cases/sql/queries';
import { readDocumentedFunctions } from '../../support/docs/documented-functions';
import type { OpenStore } from '../../support/stores/current';

let fixture: OpenStore;

beforeAll(async () => {
  fixture = await openFixtureStore();
}, 60_000);

afterAll(() => fixture.close());

it.each(Object.entries(readDocumentedFunctions()))('%s', async (name, documented) => {
  const testCase = { name, sql: `select ${documented?.example}`, saved: true, parameters: {} };
  const { bytes, fields } = await runCase(fixture.store, readDefinition('logs.all'), testCase);
  const { result } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { result: Record<string, unknown>[] };
  const values = result.flatMap((row) => Object.values(row)).map((value) => toComparable(value, fields[0]?.type ?? ''));
  expect(values.map((value) => JSON.stringify(value)).join(', ')).toBe(documented?.gives);
});
