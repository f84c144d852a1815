/**
 * Every Unicode character in the functions and operators on texts: DuckDB and ClickHouse must return the same.
 *
 * @slow 10
 */
import { sourceSchema } from '#contract/events/source';
import { ingestBatch } from '../support/stores/ingest-batch';
import { NOW_MICROS, readDefinition, runCase } from '../support/cases/sql/queries';
import { type OpenStore, openStoreUnderTest } from '../support/stores/current';

const SIZE = 1_200;

/** Without NUL, which ingest refuses, and surrogates, which are not characters. */
const characters = Array.from({ length: 0x10ffff }, (_, index) => index + 1)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));
/** Characters that differ from one another: no ideographs, no private ones, nothing that is not assigned. */
const various = characters.filter((one) => /[^\p{Unified_Ideograph}\p{Co}\p{Cn}가-힣]/u.test(one));

/** Letters in each other's company: what is mapped by its neighbours, what makes one letter of several characters. */
const MARKS = [
  'Σ',
  'ς',
  'ß',
  'ŉ',
  'ﬃ',
  'İ',
  'ı',
  "'",
  '.',
  '’',
  '\u0301',
  '\u0345',
  '\u200d',
  '👩',
  '🇩',
  '\r\n',
  '한',
  '1',
  '_',
];
const LETTERS = ['Α', 'σ', 'ᾳ', 'i', 'I', 'K', 'ſ', '🇪', 'ᄒ', 'ᅡ', 'ა', 'Ა', '-', '%', '\\', ' '];
const neighbours = [...MARKS, ...LETTERS];
const words = neighbours.map((a) =>
  neighbours.flatMap((b) => MARKS.map((c) => `${a}${b}${c} ${a}Σ${b}${c} ${a}${b}Σ${c}a`))
);

const ROWS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  all: chunksOf(characters),
  each: chunksOf(various),
  words,
};

function chunksOf(items: readonly string[]): readonly (readonly string[])[] {
  const starts = Array.from({ length: Math.ceil(items.length / SIZE) }, (_, index) => index * SIZE);
  return starts.map((start) => items.slice(start, start + SIZE));
}

const source = sourceSchema.parse({ name: 'texts' });
const stores: OpenStore[] = [];
beforeAll(async () => {
  const events = Object.entries(ROWS).flatMap(([kind, rows]) =>
    rows.map((row, n) => ({ id: `${kind}-${n}`, event_message: row.join(' '), timestamp: NOW_MICROS }))
  );
  const body = Buffer.from(events.map((event) => JSON.stringify(event)).join('\n'));
  for (const name of ['duckdb', 'clickhouse'] as const) {
    const opened = await openStoreUnderTest([source], name);
    stores.push(opened);
    const result = await opened.store.ingest(ingestBatch({ source: source.name, body, nowMicros: NOW_MICROS }));
    expect(result).toMatchObject({ accepted: events.length, rejected: 0 });
    await opened.store.catchUp();
  }
}, 60_000);
afterAll(() => Promise.all(stores.map((opened) => opened.close())));

const LOGS = readDefinition('logs.all');

async function rowsOf({ store }: OpenStore, sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { bytes, truncated } = await runCase(store, LOGS, { name: sql, sql, saved: true, parameters: {} });
  expect(truncated).toBe(false);
  return (JSON.parse(Buffer.from(bytes).toString('utf8')) as { result: Record<string, unknown>[] }).result;
}

/** Texts `v` by the id of their rows, as queries have them. */
const hashed = (query: string): string => `select id, to_hex(md5(v)) as h from (${query}) as t order by id`;

/** The rows of a kind that have another value on one store: by a hash, since the values are long. */
async function differences(query: string, kind: string): Promise<readonly unknown[]> {
  const [one, other] = await Promise.all(stores.map((opened) => rowsOf(opened, hashed(query))));
  expect(one).toHaveLength((ROWS[kind] as readonly unknown[]).length);
  return (one as readonly { id: unknown; h: unknown }[]).filter(
    ({ h }, row) => h === null || h !== other?.[row]?.['h']
  );
}

const textsOf = (kind: string): string => `select id, event_message as s from texts where starts_with(id, '${kind}-')`;

const WHOLE = [
  's',
  'upper(s)',
  'lower(s)',
  'reverse(s)',
  "replace(s, ' ', 'ß')",
  "array_to_string(split(s, ' '), 'é')",
  "regexp_replace(s, r'[\\s\\x{80}-\\x{24f}]', '*')",
  "regexp_replace(s, r'(?i)[a-zà-ÿα-ω]', '*')",
  "regexp_replace(s, r'\\w|\\pN|\\pP', '*')",
  "regexp_replace(s, r'\\b.', '*')",
  "coalesce(regexp_extract(s, '(?i)ﬀ.{5}'), '')",
  'to_json_string(s)',
  "json_value(concat('{\"a\":', to_json_string(s), '}'), '$.a')",
];

it.each(WHOLE.flatMap((expression, n) => [n < 4 ? 'all' : 'each', 'words'].map((kind) => [expression, kind])))(
  '%s, of %s',
  async (expression, kind) =>
    expect(await differences(`select id, ${expression} as v from (${textsOf(kind)}) as x`, kind)).toEqual([]),
  20_000
);

/** Expressions over a character `c`; `p` is its capital without what LIKE would not take. */
const EACH = [
  'length(c)',
  "length(trim(concat(c, 'a', c)))",
  "strpos(concat('añ', c, c), c)",
  "c like '_'",
  "c ilike '_'",
  'c ilike p',
  'p ilike lower(p)',
  "concat('x', c) ilike '%k%'",
  "concat('x', c) ilike '%i'",
  "contains_substr(concat('ΑΣ', c), concat('ας', p))",
  "contains_substr(concat(c, 's'), 'ks')",
  "c < 'ß'",
];

it.each([
  ...EACH.map((expression) => `cast(${expression} as string)`),
  "substr(concat(c, 'b', c), 2, 2)",
  "concat(left(concat(c, 'b'), 1), right(concat('b', c), 1))",
  "concat(rpad(c, 3, 'é'), lpad(concat(c, c), 3, 'é'))",
])(
  '%s',
  async (expression) => {
    const letters = `select id, c, replace(upper(c), '\\\\', '/') as p, o from (${textsOf('each')}) as x, unnest(split(s, '')) as c with offset as o`;
    const query = `select id, string_agg(${expression}, '|' order by o) as v from (${letters}) as l group by id`;
    expect(await differences(query, 'each')).toEqual([]);
  },
  20_000
);

it('both stores order texts by their bytes', async () => {
  const sql = `select array_agg(c order by c) as ordered from (select distinct c from texts, unnest(split(event_message, ' ')) as c where starts_with(id, 'words-')) as t`;
  const [one, other] = await Promise.all(stores.map((opened) => rowsOf(opened, sql)));
  expect(other).toEqual(one);
});

it('both stores return every character, also a byte order mark at the start', async () => {
  const sql = "select substr(event_message, strpos(event_message, '\ufeff'), 3) as mark from texts where id = 'all-52'";
  for (const opened of stores) expect(await rowsOf(opened, sql)).toEqual([{ mark: '\ufeff \uff00' }]);
});
