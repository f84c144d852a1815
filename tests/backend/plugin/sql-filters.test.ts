/** Field filters return the same rows with SQL as with LQL, for SQL texts of all shapes. */
import { filterSql } from '#compiler/browser';
import { decodeFrame } from '../support/decode-frame';
import { type PluginHost, startPlugin } from '../support/plugin-host';
import { EVENT_COUNT, PROJECT, type SampleService, startSampleService } from '../support/sample-service';

let host: PluginHost;
let sample: SampleService;

beforeAll(async () => {
  [host, sample] = await Promise.all([startPlugin(), startSampleService()]);
});

afterAll(async () => {
  await host.stop();
  await sample.stop();
});

interface Filter {
  readonly field: string;
  readonly operator: string;
  readonly value: string;
}

async function run(mode: 'sql' | 'lql', text: string, filters: readonly Filter[]) {
  const query = {
    endpoint: { name: 'logs.all' },
    mode,
    [mode]: text,
    params: { project: PROJECT },
    filters,
    format: 'table',
  };
  const { A } = await host.query(sample.source, [{ refId: 'A', query }]);
  return { error: A!.error, frame: decodeFrame(A!.frames[0]!) };
}

async function totalOf(sql: string, filters: readonly Filter[]): Promise<number> {
  const { error, frame } = await run('sql', sql, filters);
  expect(error).toBe('');
  const counts = frame.fields.find(({ name }) => name === 'n');
  return counts ? counts.values.reduce((sum: number, n) => sum + Number(n), 0) : frame.length;
}

const path = (value: string, operator = '='): Filter => ({ field: 'm.request.path', operator, value });
const ORDERS = '/rest/v1/orders';

test.each([
  ['the equal', [path(ORDERS)]],
  ['all others', [path(ORDERS, '!=')]],
  ['a pattern', [path('^/(rest|auth)/', '=~')]],
  ['no pattern', [path('^/(rest|auth)/', '!~')]],
  ['a larger number', [{ field: 'm.response.status_code', operator: '>', value: '404' }]],
  ['a number as large', [{ field: 'm.response.status_code', operator: '>=', value: '404' }]],
  ['a smaller number', [{ field: 'm.response.status_code', operator: '<', value: '404' }]],
  ['a number as text', [{ field: 'm.response.status_code', operator: '=', value: '404' }]],
  ['several numbers', [{ field: 'm.response.status_code', operator: '=|', value: '["200","404"]' }]],
  ['none of several texts', [path(`["${ORDERS}","/none"]`, '!=|')]],
  ['a column', [{ field: 'event_message', operator: '=', value: `GET | 200 | ${ORDERS}` }]],
  ['no such column value', [{ field: 'event_message', operator: '!=', value: 'x' }]],
  ['a field that no event has a value of', [{ field: 'm.request.method', operator: '!=', value: 'GET' }]],
  ['both of two', [path(ORDERS), { field: 'm.request.method', operator: '=', value: 'GET' }]],
  ['quotes and backslashes', [path(`a'b"c\\d\n) or true --`)]],
  ['backslashes and a quote at the end', [path(`\\' or 1=1 #`, '!=')]],
] as const)('%s: SQL gives the same number of rows as LQL', async (_, filters) => {
  const lql = await run('lql', 'f:edge_logs', filters);
  expect(lql.error).toBe('');
  expect(await totalOf('select id from edge_logs', filters)).toBe(lql.frame.length);
});

test.each([
  'select id from edge_logs',
  'select id from edge_logs;',
  'select id from edge_logs -- where nothing',
  "select id, 'where from' as w from `edge_logs` as e /* limit 1 */ where e.id != ') limit 1' or false",
  'select e.id from edge_logs e order by e.timestamp desc limit 1000',
  'select count(*) as n from edge_logs',
  'select date(timestamp) as day, count(*) as n from edge_logs where true group by day order by day',
  'select rq.path, count(*) as n from edge_logs as t cross join unnest(t.metadata) as md cross join unnest(md.request) as rq group by path having n > 0',
  'select rq.path as p, count(*) as n from edge_logs, unnest(metadata) as md, unnest(md.request) as rq group by p',
  'with wanted as (select * from edge_logs where id is not null) select id from wanted',
  'select id from edge_logs where id is distinct from null or exists (select 1 from auth_logs where true)',
  'select id is distinct from event_message as d, id from edge_logs',
  'SELECT id FROM edge_logs WHERE false OR true\nGROUP BY id',
  "select id, '''it's from x''' as `a)`, r'\\d' as `where` from edge_logs",
  'select * except (metadata) from edge_logs limit 100000',
  'select id from edge_logs where $__timeFilter(timestamp) or true',
  'select id from edge_logs qualify row_number() over (partition by id order by timestamp) = 1',
])('the filter applies before groups and limits: %s', async (sql) => {
  expect(await totalOf(sql, [])).toBe(EVENT_COUNT);
  expect(await totalOf(sql, [path(ORDERS)])).toBe(EVENT_COUNT / 4);
});

test('a page of the newest rows has only rows that match the filter', async () => {
  const sql = 'select id from edge_logs order by timestamp desc limit 5';
  expect(await totalOf(sql, [path(ORDERS)])).toBe(5);
});

test.each([
  'select 1 as n',
  'select * from (select id from edge_logs) as t',
  'select id from edge_logs union all select id from auth_logs',
  'select id from edge_logs except distinct select id from auth_logs',
  '(select id from edge_logs)',
  '',
])('a text that names no table is not filtered: %s', async (sql) => {
  expect(filterSql(sql, [])).toBeUndefined();
  if (sql === '') return;
  expect((await run('sql', sql, [path('a') as never])).error).toContain(
    'Field filters need LQL, or SQL that reads a table.'
  );
});

test('the error for a field that the table does not have names the field', async () => {
  const { error } = await run('sql', 'select id from edge_logs', [
    { field: 'm.request.nowhere', operator: '=', value: 'a' },
  ]);
  expect(error).toContain('nowhere');
});
