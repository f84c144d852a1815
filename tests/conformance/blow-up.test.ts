/** Short texts that would become huge statements are refused quickly, before a store sees them. */
import { compile } from '#compiler';
import { ServiceError } from '#contract/errors';
import { REDACTION_KINDS } from '#contract/redaction';
import { sourceRedaction } from '#server/engine/redaction/source-redaction';
import { ingestBatch } from '../support/stores/ingest-batch';
import { NOW_MICROS, openFixtureStore, readDefinition, runCase } from '../support/cases/sql/queries';
import { type OpenStore, STORE_UNDER_TEST } from '../support/stores/current';

const logsAll = readDefinition('logs.all');
let fixture: OpenStore;

beforeAll(async () => {
  fixture = await openFixtureStore();
}, 60_000);

afterAll(() => fixture.close());

function repeat(times: number, start: string, step: (inner: string) => string): string {
  let text = start;
  for (let i = 0; i < times; i += 1) text = step(text);
  return text;
}

/** `with a0 as (first), a1 as (next(a0)), ...` and then `last`. */
function chain(length: number, first: string, next: (before: string) => string, last: string): string {
  const steps = Array.from({ length }, (_, index) => `a${index + 1} as (${next(`a${index}`)})`);
  return `with a0 as (${first}), ${steps.join(', ')} ${last}`;
}

const TEXTS: Readonly<Record<string, string>> = {
  'a column doubled through derived tables': `${repeat(25, 'select id as x from auth_logs', (q) => `select concat(x, x) as x from (${q})`)} limit 1`,
  'a condition doubled through derived tables': repeat(
    25,
    "select id = 'a' as x from auth_logs",
    (q) => `select x = x as x from (${q})`
  ),
  'a column doubled through WITH': chain(
    18,
    'select id from auth_logs',
    (a) => `select concat(id, id) as id from ${a}`,
    'select id from a18'
  ),
  'a struct doubled through WITH': chain(
    18,
    'select struct(id as s) as s from auth_logs',
    (a) => `select struct(s as a, s as b) as s from ${a}`,
    'select s from a18'
  ),
  'all columns doubled by each operator': `from auth_logs ${'|> select *, * '.repeat(30)}|> aggregate count(*) as n`,
  'a column doubled by each operator': `from auth_logs |> extend id as x ${'|> set x = concat(x, x) '.repeat(30)}|> select x`,
  'a window over the window of each operator before': `from auth_logs |> extend 1 as x ${'|> set x = sum(x) over () '.repeat(60)}|> select x`,
  'a limit of the limit of each operator before': `from auth_logs ${'|> limit 5 '.repeat(60)}`,
  'more operators than a query may have': `from auth_logs ${'|> where true '.repeat(251)}`,
  'groups of groups': repeat(
    20,
    'select id, 1 as n from auth_logs',
    (q) => `select id, max(n) as n from (${q}) group by id`
  ),
  'groups of groups in WITH': chain(
    18,
    'select id, 1 as n from auth_logs',
    (a) => `select id, max(n) as n from ${a} group by id`,
    'select id from a18'
  ),
  'windows over windows': repeat(
    20,
    'select id, 1 as n from auth_logs',
    (q) => `select id, row_number() over (partition by id order by n) as n from (${q})`
  ),
  'aggregates in the WHERE of aggregates': `select ${repeat(17, 'id', (x) => `(select max(k) from unnest([id]) as k where k < ${x})`)} x from auth_logs`,
  'subqueries that are planned as joins': `from auth_logs ${'|> where id in (select id from edge_logs) '.repeat(240)}|> select id`,
  'aggregates of each operator before': `from auth_logs |> extend 1 as n ${'|> aggregate max(n) as n group by id '.repeat(40)}|> select id`,
  'REPEAT of a column': 'select repeat(event_message, 2000) x from auth_logs',
  'texts joined with themselves': `select ${repeat(12, 'event_message', (x) => `concat(${x}, ${x})`)} x from auth_logs`,
  'texts joined with ||': `select ${repeat(12, 'event_message', (x) => `(${x} || ${x})`)} x from auth_logs`,
  'padding row by row': 'select lpad(event_message, 5000 + length(id)) x from auth_logs',
  'characters doubled by REGEXP_REPLACE': `select ${repeat(14, "concat(event_message, 'x')", (x) => `regexp_replace(${x}, '', 'y')`)} x from auth_logs`,
  'a text doubled by REPLACE': `select ${repeat(12, 'id', (x) => `replace(${x}, '1', '11111111')`)} x from auth_logs`,
};

it.each(Object.entries(TEXTS))('a query that would grow too large is refused: %s', async (_name, sql) => {
  const error = await runCase(fixture.store, logsAll, { name: 'blow-up', sql }).then(
    () => undefined,
    (thrown: unknown) => thrown
  );
  expect(error).toBeInstanceOf(ServiceError);
  expect(['query_too_complex', 'query_invalid', 'resource_limit']).toContain((error as ServiceError).code);
});

it('a query of too many groups of groups is refused with its place and a hint', async () => {
  const text = repeat(20, 'select id, 1 as n from auth_logs', (q) => `select id, max(n) as n\nfrom (${q}) group by id`);
  await expect(runCase(fixture.store, logsAll, { name: 'levels', sql: text })).rejects.toMatchObject({
    code: 'query_too_complex',
    details: { reason: 'too_complex', position: { line: 4 }, hint: expect.stringContaining('aggregates') as string },
  });
});

it('WITH queries that each read the one before twice are computed once each, or refused', async () => {
  const text = chain(
    14,
    "select 'a' as id from unnest([1])",
    (a) => `select id from ${a} where id in (select id from ${a})`,
    'select id from a14'
  );
  const startMs = performance.now();
  const read = runCase(fixture.store, logsAll, { name: 'levels', sql: text });
  if (STORE_UNDER_TEST === 'clickhouse') {
    const error = { code: 'query_too_complex', details: { reason: 'too_complex', position: { line: 1 } } };
    await expect(read).rejects.toMatchObject(error);
  } else expect(Buffer.from((await read).bytes).toString()).toBe('{"result":[{"id":"a"}]}');
  expect(performance.now() - startMs).toBeLessThan(5_000);
});

it('twelve groups of groups take little time', async () => {
  const text = repeat(12, 'select id, 1 as n from auth_logs', (q) => `select id, max(n) as n from (${q}) group by id`);
  const startMs = performance.now();
  const { bytes } = await runCase(fixture.store, logsAll, {
    name: 'levels',
    sql: `select n from (${text}) where id = 'a1'`,
  });
  expect(Buffer.from(bytes).toString()).toBe('{"result":[{"n":1}]}');
  expect(performance.now() - startMs).toBeLessThan(5_000);
});

it.each([
  ['NULLIF', (x: string) => `nullif(${x}, 'b')`, 'a1'],
  ['INITCAP', (x: string) => `initcap(${x})`, 'A1'],
  ['NET.HOST', (x: string) => `net.host(${x})`, 'a1'],
  ['BETWEEN', (x: string) => `if(${x} between 'a' and 'b', 'b', 'c')`, 'b'],
  ['BETWEEN, in its bound', (x: string) => `if(id between ${x} and 'b', id, 'c')`, 'a1'],
  ['CASE with an operand', (x: string) => `case ${x} when 'a1' then 'b' when 'b' then 'a1' end`, 'a1'],
  [
    'CASE in branches, with a large operand each',
    (x: string) => `case concat(${'id, '.repeat(40)}'') when 'q' then ${x} when 'r' then 's' else 'r' end`,
    'r',
  ],
  [
    'LIKE ANY with a large text',
    (x: string) => `if(concat(${'id, '.repeat(40)}'') like any ('q', 'r', ${x}), 'a', 'b')`,
    'b',
  ],
  ['LIKE ANY', (x: string) => `if(${x} like any ('a%', 'b_'), 'a1', 'b1')`, 'a1'],
  ['REGEXP_INSTR', (x: string) => `concat('a', regexp_instr(${x}, '[0-9]'))`, 'a2'],
  ['SAFE_DIVIDE', (x: string) => `cast(safe_divide(4, length(${x})) as string)`, '4'],
  ['ISERROR', (x: string) => `if(iserror(parse_timestamp('%F', ${x})), '2026-03-01', 'a1')`, 'a1'],
  ['IFERROR', (x: string) => `concat('a', iferror(cast(${x} as int64), 1))`, 'a1'],
  [
    'TIMESTAMP_BUCKET',
    (x: string) => `string(timestamp_bucket(timestamp_seconds(length(${x})), interval 7 second))`,
    '1970-01-01 00:00:18+00',
  ],
  [
    'STRING in a time zone',
    (x: string) => `string(timestamp_seconds(length(${x})), 'Europe/Paris')`,
    '1970-01-01 01:00:22+01',
  ],
  [
    'FORMAT_TIMESTAMP in a time zone',
    (x: string) => `format_timestamp('%F %Z', timestamp_seconds(length(${x})), 'Europe/Paris')`,
    '1970-01-01 UTC+1',
  ],
])('calls of %s within each other take little time', async (_name, step, expected) => {
  const sql = `select ${repeat(14, 'id', step)} x from auth_logs where id = 'a1'`;
  const startMs = performance.now();
  const { bytes } = await runCase(fixture.store, logsAll, { name: 'nested', sql });
  expect(Buffer.from(bytes).toString()).toBe(`{"result":[{"x":"${expected}"}]}`);
  expect(performance.now() - startMs).toBeLessThan(10_000);
});

it('a long list and a long chain of conditions are accepted', async () => {
  const list = Array.from({ length: 1000 }, (_, index) => `'x${index}'`).join(', ');
  const long = Array.from({ length: 400 }, () => "id != 'x'").join(' and ');
  const { bytes } = await runCase(fixture.store, logsAll, {
    name: 'long',
    sql: `select id from auth_logs where id in (${list}) or (${long}) order by id limit 1`,
  });
  expect(Buffer.from(bytes).toString()).toBe('{"result":[{"id":"a1"}]}');
});

describe('a stored message of 100 KiB', () => {
  const LONG = `${'word,12 '.repeat(12_799)}the end`;
  const FROM = "from auth_logs where id = 'long-message'";

  beforeAll(async () => {
    const event = { id: 'long-message', timestamp: '2026-03-01T11:00:00Z', event_message: LONG, project: 'abcd' };
    const batch = { source: 'auth_service', body: Buffer.from(JSON.stringify(event)), nowMicros: NOW_MICROS };
    expect(await fixture.store.ingest(ingestBatch(batch))).toMatchObject({ accepted: 1 });
    await fixture.store.catchUp();
  });

  const read = async (value: string): Promise<unknown> => {
    const { bytes } = await runCase(fixture.store, logsAll, { name: 'long', sql: `select ${value} as x ${FROM}` });
    return (JSON.parse(Buffer.from(bytes).toString()) as { result: { x: unknown }[] }).result[0]?.x;
  };

  it.each([
    ['event_message', LONG],
    ["concat('prefix: ', event_message)", `prefix: ${LONG}`],
    ["id || ': ' || event_message", `long-message: ${LONG}`],
    ["replace(event_message, 'the end', 'that is the end')", LONG.replace('the end', 'that is the end')],
    ["replace(event_message, 'word', 'w')", LONG.replaceAll('word', 'w')],
    ["length(regexp_replace(event_message, '[0-9]+', 'N'))", LONG.length - 12_799],
    ["regexp_replace(event_message, '(the) (end)', r'\\2 \\1')", LONG.replace('the end', 'end the')],
    ['repeat(event_message, 1)', LONG],
    ['lpad(event_message, 10000)', LONG.slice(0, 10_000)],
    ["array_length(split(event_message, 'the'))", 2],
    ["regexp_extract_all(event_message, 'the end')", ['the end']],
    ['upper(event_message)', LONG.toUpperCase()],
  ])('is read by %s', async (value, expected) => {
    expect(await read(value)).toEqual(expected);
  });

  it.each([
    ['concat(event_message, event_message)', 'text_too_long'],
    ["replace(event_message, ' ', '  ')", 'text_too_long'],
    ["regexp_replace(event_message, '', '-')", 'text_too_long'],
    ['repeat(event_message, 2)', 'text_too_long'],
    ["array_length(split(event_message, ''))", 'too_many_parts'],
    ["array_length(split(event_message, ' '))", 'too_many_parts'],
    ["array_length(regexp_extract_all(event_message, '[0-9]'))", 'too_many_parts'],
  ])('cannot be made larger than the limit by %s', async (value, reason) => {
    const error = await read(value).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'resource_limit', details: { reason } });
  });
});

test('a redacted text that is compared with many patterns is redacted once', () => {
  const sqlOf = (patterns: number): string => {
    const list = Array.from({ length: patterns }, (_, index) => `'x${index}%'`).join(', ');
    return compile({
      definition: logsAll,
      adhoc: { language: 'sql', text: `select id from auth_logs where event_message like any (${list})` },
      parameters: { project: 'abcd', iso_timestamp_start: null, iso_timestamp_end: null },
      catalog: fixture.store.catalog(),
      nowMicros: NOW_MICROS,
      maxRows: 10,
      redaction: sourceRedaction({ kinds: REDACTION_KINDS }),
      tenant: null,
    }).sql;
  };
  // A redaction is thousands of characters.
  expect((sqlOf(60).length - sqlOf(20).length) / 40).toBeLessThan(500);
});
