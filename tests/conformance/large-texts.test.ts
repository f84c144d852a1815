/** Long statements, and long values of parameters, as callers send them in a body. */
import { firstRow, openFixtureStore } from '../support/cases/sql/queries';
import { type OpenStore, STORE_UNDER_TEST } from '../support/stores/current';

let fixture: OpenStore;
beforeAll(async () => {
  fixture = await openFixtureStore();
}, 60_000);
afterAll(() => fixture.close());

const ask = (sql: string, parameters: Readonly<Record<string, string>> = {}): Promise<unknown> =>
  firstRow(fixture.store, sql, parameters);

it('a list of thousands of texts', async () => {
  const texts = Array.from({ length: 9000 }, (_, index) => `'%%${index.toString(36)}'`);
  const sql = `select countif(event_message not in (${texts.join(',')})) > 0 as isAnyOther from edge_requests`;
  expect(await ask(sql)).toEqual({ isAnyOther: true });
});

const CONTAINED =
  'select countif(strpos(@text, substr(event_message, 1, 0)) = 1) > 0 as isContained from edge_requests';

it('a value of 100 KiB', async () => {
  expect(await ask(CONTAINED, { text: 'x'.repeat(100 * 1024) })).toEqual({ isContained: true });
});

it('a value of 200 KiB, which ClickHouse does not take in one parameter', async () => {
  const asked = ask(CONTAINED, { text: 'x'.repeat(200 * 1024) });
  await (STORE_UNDER_TEST === 'clickhouse'
    ? expect(asked).rejects.toMatchObject({ code: 'query_too_complex', details: { reason: 'value_too_long' } })
    : expect(asked).resolves.toEqual({ isContained: true }));
});

const NUMBERS = Array.from({ length: 600 }, (_, index) => `n + ${index}`);
const FIELDS = NUMBERS.map((number, index) => `${number} as c${index}`).join(', ');

it.each([
  [`to_json_string(to_json(struct(${FIELDS})).c599)`],
  [`json_query(to_json_string(struct(${FIELDS})), '$.c599')`],
  [`to_json_string(json_array(${NUMBERS.join(', ')})[599])`],
])('JSON of 600 values: %.20s', async (value) => {
  expect(await ask(`select ${value} as x from unnest([1]) as n`)).toEqual({ x: '600' });
});

const TEXTS = NUMBERS.map((number) => `cast(${number} as string)`).join(', ');
const DIGITS = NUMBERS.map((_, index) => index + 1).join('');

it.each([
  ['CONCAT', `concat(${TEXTS}) = '${DIGITS}'`],
  ['CONCAT of bytes', `length(concat(${NUMBERS.map(() => 'cast(s as bytes)').join(', ')})) = 600`],
])('%s of 600 values', async (_name, value) => {
  expect(await ask(`select ${value} as x from unnest([1]) as n cross join unnest(['a']) as s`)).toEqual({ x: true });
});

/** Values of two types in turns, and one of another: stores convert those of a type together. */
const MIXED = Array.from({ length: 201 }, (_, index) => {
  if (index === 100) return { sql: 'n = 1', value: true, text: 'true' };
  const text = `${index + 1}${index % 2 === 0 ? '' : '.5'}`;
  return { sql: `n + ${text} - 1`, value: Number(text), text };
});
const MIXED_FIELDS = MIXED.map(({ sql }, index) => `${sql} as c${index}`).join(', ');
const MEMBERS = MIXED.map(({ value }, index): [string, unknown] => [`c${index}`, value]);

it.each([
  ['TO_JSON_STRING', `to_json_string(struct(${MIXED_FIELDS}))`, JSON.stringify(Object.fromEntries(MEMBERS))],
  [
    'TO_JSON',
    `to_json_string(to_json(struct(${MIXED_FIELDS})))`,
    JSON.stringify(Object.fromEntries([...MEMBERS].sort())),
  ],
  [
    'JSON_ARRAY',
    `to_json_string(json_array(${MIXED.map(({ sql }) => sql).join(', ')}))`,
    JSON.stringify(MIXED.map(({ value }) => value)),
  ],
  ['FORMAT', `format('%t', struct(${MIXED_FIELDS}))`, `(${MIXED.map(({ text }) => text).join(', ')})`],
])('%s writes hundreds of fields of several types in order', async (_name, value, expected) => {
  expect(await ask(`select ${value} as x from unnest([1]) as n`)).toEqual({ x: expected });
});
