/** The examples of docs/sql.md give on every store what the page says. */
import { FUNCTION_FAMILIES } from '#compiler/functions/catalog';
import { openFixtureStore, readDefinition, runCase } from '../support/cases/queries';
import type { OpenStore } from '../support/stores/current';

const examples = FUNCTION_FAMILIES.flatMap(({ functions }) =>
  functions.flatMap(({ names, example }) => (example === undefined ? [] : [{ name: String(names[0]), ...example }]))
);

let fixture: OpenStore;

beforeAll(async () => {
  fixture = await openFixtureStore();
}, 60_000);

afterAll(() => fixture.close());

it.each(examples)('$name: $text', async ({ name, text, gives }) => {
  const testCase = { name, sql: `select ${text}`, saved: true, parameters: {} };
  const asText = { timestamps: 'rfc3339' } as const;
  const { bytes } = await runCase(fixture.store, readDefinition('logs.all'), testCase, asText);
  const { result } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { result: Record<string, unknown>[] };
  const values = result.flatMap((row) => Object.values(row)).map((value) => JSON.stringify(value));
  expect(values.join(', ')).toBe(gives);
});
