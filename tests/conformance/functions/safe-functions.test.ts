/** SAFE. may stand before every scalar function, and changes nothing where it does not fail. */
import { FUNCTION_FAMILIES } from '#compiler/functions/catalog';
import { toComparable } from '../../support/cases/sql/functions';
import { openFixtureStore, readDefinition, runCase } from '../../support/cases/sql/queries';
import { readDocumentedFunctions } from '../../support/docs/documented-functions';
import type { OpenStore } from '../../support/stores/current';

let fixture: OpenStore;

beforeAll(async () => {
  fixture = await openFixtureStore();
}, 60_000);

afterAll(() => fixture.close());

const examples = readDocumentedFunctions();
const scalars = FUNCTION_FAMILIES.flatMap(({ functions }) => functions)
  .filter(({ kind }) => kind === 'scalar')
  .map(({ names: [name] }) => name as string)
  .filter((name) => examples[name]?.example.startsWith(`${name}(`));

it('most scalar functions have an example that begins with their call', () => {
  expect(scalars.length).toBeGreaterThan(100);
});

it.each(scalars)('SAFE.%s', async (name) => {
  const sql = `select SAFE.${examples[name]?.example}`;
  const { bytes, fields } = await runCase(fixture.store, readDefinition('logs.all'), {
    name,
    sql,
    saved: true,
    parameters: {},
  });
  const { result } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { result: Record<string, unknown>[] };
  const values = result.flatMap((row) => Object.values(row)).map((value) => toComparable(value, fields[0]?.type ?? ''));
  expect(values.map((value) => JSON.stringify(value)).join(', ')).toBe(examples[name]?.gives);
});
