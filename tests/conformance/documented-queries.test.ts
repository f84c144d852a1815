/** The queries of docs/sql.md run on every store as they are shown, in the sandbox of `logs.all`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFixtureStore, readDefinition, runCase } from '../support/cases/sql/queries';
import type { OpenStore } from '../support/stores/current';

const PAGE = readFileSync(join(__dirname, '../../docs/sql.md'), 'utf8');
const queries = [...PAGE.matchAll(/^```sql\n([\s\S]*?)^```/gm)].map(
  ({ 1: sql, index }) => [PAGE.slice(0, index).split('\n').length, sql!] as const
);

let fixture: OpenStore;

beforeAll(async () => {
  fixture = await openFixtureStore();
}, 60_000);

afterAll(() => fixture.close());

it.each(queries)('the query at line %d of docs/sql.md runs', async (_line, sql) => {
  const { bytes } = await runCase(fixture.store, readDefinition('logs.all'), { name: sql, sql });
  expect(JSON.parse(Buffer.from(bytes).toString('utf8'))).toHaveProperty('result');
});
