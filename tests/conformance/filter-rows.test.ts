/**
 * "Filter for" and "filter out" of a value give the rows with that value, and the others.
 *
 * @slow 20
 */
import fc from 'fast-check';
import { filterRows, leafOf, type RowFilter } from '#compiler/browser';
import { savedQuerySchema } from '#contract/queries/saved-query';
import { sourceSchema } from '#contract/events/source';
import { NOW_MICROS, runCase } from '../support/cases/sql/queries';
import { ingestBatch } from '../support/stores/ingest-batch';
import { openStoreUnderTest, type OpenStore } from '../support/stores/current';

const TEXTS = [
  '',
  "it's",
  'a\\',
  "\\' or true --",
  'two\nlines\r\n',
  'tab\t`back`',
  '${x} $__timeFilter @at [[y]]',
  '\u202Eltr\u0007\u007F\uFEFF',
  '/* open',
  'NULL',
  '🙂',
  'x'.repeat(5000),
  null,
];
const WHOLE = [0, -1, '9223372036854775807', '-9223372036854775808', '9007199254740993', null];
const RATIOS = [0, 0.1 + 0.2, 1e21, 5e-324, -1.5, 1.7976931348623157e308, null];
const FLAGS = [true, false, null];

const source = sourceSchema.parse({
  name: 'edge',
  fields: {
    text: 'STRING',
    whole: 'INT64',
    ratio: 'FLOAT64',
    flag: 'BOOL',
    'record.text': 'STRING',
    'record.`quoted`': 'STRING',
  },
});
const definition = savedQuerySchema.parse({
  id: '00000000-0000-4000-8000-000000000001',
  name: 'filtered',
  sandbox: true,
  max_rows: 1000,
  query: 'with logs as (select id, timestamp, event_message, metadata from edge) select id from logs',
});

type Value = RowFilter['value'] | readonly Value[] | { readonly [name: string]: Value };
type Row = Readonly<Record<string, Value>>;

/** Texts of all shapes; their rows have one order. */
const SHAPES = [
  'select * from logs order by id',
  "select l.id, l.event_message, l.metadata from logs as l where l.id != '7' or id is null order by id limit 9 -- end",
  'select id, timestamp, event_message from logs -- no order by',
  'from logs |> order by id |> limit 20',
  'select distinct event_message, metadata[0].flag as flag from logs order by 1, 2',
  `select m.whole, m.ratio, m.flag, m.text as \`a'b \\\` c\`, upper(id) as id, date(timestamp) as day,
     datetime(timestamp) as local, time(timestamp) as clock, cast(m.text as bytes) as raw
   from logs, unnest(metadata) as m order by id desc limit 12`,
  'select m.text as __proto__, count(*) as n, max(timestamp) as newest from logs, unnest(metadata) as m group by 1 order by n desc, 1',
  'select event_message as `select`, metadata as constructor from logs order by id limit 5;',
  "(select id, 'a' as kind from logs) union all (select event_message, 'b' from logs) order by id, kind limit 8",
  'with few as (select id, event_message from logs where true) select few.* from few order by few.id',
  "select id, ['a', event_message] as list, struct(event_message as inner_text, 1 as one) as pair from logs order by id",
];

let opened: OpenStore;
beforeAll(async () => {
  opened = await openStoreUnderTest([source]);
  const events = TEXTS.map((text, n) => {
    const [whole, ratio, flag] = [WHOLE[n % WHOLE.length], RATIOS[n % RATIOS.length], FLAGS[n % FLAGS.length]];
    const fields = JSON.stringify({ text, ratio, flag, record: { text, '`quoted`': text } });
    // Large numbers are written by hand: JavaScript has none.
    const metadata = `${fields.slice(0, -1)},"whole":${whole ?? 'null'}}`;
    const timestamp = new Date(NOW_MICROS / 1000 - Math.floor(n / 2) * 1000).toISOString();
    return `{"id":"${n}","timestamp":"${timestamp}","event_message":${JSON.stringify(text ?? 'none')},"metadata":${metadata}}`;
  });
  await opened.store.ingest(
    ingestBatch({ source: 'edge', body: Buffer.from(events.join('\n')), nowMicros: NOW_MICROS })
  );
  await opened.store.catchUp();
}, 60_000);
afterAll(() => opened.close());

async function run(sql: string): Promise<{ rows: readonly Row[]; types: ReadonlyMap<string, string> }> {
  const { bytes, fields } = await runCase(opened.store, definition, { name: sql, sql, parameters: {} });
  const { result } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { result: Row[] };
  return { rows: result, types: new Map(fields.map(({ name, type }) => [name, type])) };
}

/** All values at a path; lists stand for each of their elements. */
function valuesAt(value: Value | undefined, path: readonly string[]): readonly Value[] {
  if (Array.isArray(value)) return (value as readonly Value[]).flatMap((each) => valuesAt(each, path));
  const [name, ...rest] = path;
  if (name === undefined) return [value ?? null];
  if (value === null || typeof value !== 'object') return [];
  return valuesAt((value as { readonly [name: string]: Value })[name], rest);
}

function leaves(value: Value, path: readonly string[] = []): ReadonlyArray<readonly [readonly string[], Value]> {
  if (Array.isArray(value)) return (value as readonly Value[]).flatMap((each) => leaves(each, path));
  if (value === null || typeof value !== 'object') return [[path, value]];
  return Object.entries(value).flatMap(([name, each]) => leaves(each, [...path, name]));
}

/** Without its LIMIT a text has all rows, of which a filtered one takes the first. */
const LIMIT = /\blimit (\d+)/;

it('a filtered text has the rows that have the value, or the others, before its LIMIT', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...SHAPES), fc.nat(), fc.nat(), fc.boolean(), async (sql, nth, at, isNegated) => {
      const all = await run(sql.replace(LIMIT, 'limit 900'));
      const row = all.rows[nth % all.rows.length]!;
      const found = leaves(row);
      const [path, value] = found[at % found.length]!;
      const [column = '', ...names] = path;
      const columnType = all.types.get(column)!;
      if (leafOf(columnType, names) === undefined) return;
      const filter = { path: [column, ...names] as const, columnType, value: value as RowFilter['value'], isNegated };
      const filtered = filterRows(sql, filter);
      expect(filtered).toBeDefined();
      const has = (each: Row): boolean => valuesAt(each[column], names).some((one) => Object.is(one, value));
      const expected = all.rows.filter((each) => has(each) !== isNegated).slice(0, Number(LIMIT.exec(sql)?.[1] ?? 900));
      const { rows } = await run(filtered!);
      const isOrdered = /order by/.test(sql.replace(/--.*/, ''));
      expect(isOrdered ? rows : new Set(rows.map((each) => JSON.stringify(each)))).toEqual(
        isOrdered ? expected : new Set(expected.map((each) => JSON.stringify(each)))
      );
      compared += 1;
    }),
    { numRuns: 300 }
  );
  expect(compared).toBeGreaterThan(30);
}, 180_000);

it('filters can follow each other', async () => {
  const types = { columnType: 'STRING', isNegated: false } as const;
  const once = filterRows(SHAPES[3]!, { ...types, path: ['event_message'], value: "it's" })!;
  const twice = filterRows(once, { ...types, path: ['id'], value: '1' })!;
  expect((await run(twice)).rows.map(({ id }) => id)).toEqual(['1']);
  const none = filterRows(twice, { ...types, path: ['id'], value: '1', isNegated: true })!;
  expect((await run(none)).rows).toEqual([]);
});
