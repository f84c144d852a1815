/** Texts that continue from a result. */
import type { RowFilter } from '#compiler/browser';
import { filterText, selectOf, tableOf } from './sandbox-text';
import { boundsOf, fillRange, timeParametersOf } from '../pages/saved-query/run/time-range';

const SAVED =
  'with edge_logs as (select id from edge where p = @p), x as (select 1) select e.id from edge_logs as e limit 9;';
const STRING = { columnType: 'STRING', isNegated: false } as const;
const path = (...names: [string, ...string[]]): RowFilter['path'] => names;
const noSql = (): Promise<null> => Promise.resolve(null);

test('a saved query continues with its own SELECT', async () => {
  expect(selectOf(SAVED)).toBe('select e.id from edge_logs as e limit 9');
  expect(selectOf('select 1')).toBeNull();
  expect(selectOf('with a as (select')).toBeNull();
  expect(await filterText(null, SAVED, { ...STRING, path: path('id'), value: "it's" }, noSql)).toEqual({
    language: 'sql',
    text: "select e.id from edge_logs as e\nwhere e.id = 'it\\'s'\nlimit 9",
  });
  expect(await filterText(null, null, { ...STRING, path: path('id'), value: 'a' }, noSql)).toBeNull();
});

const LQL = { language: 'lql', text: 'f:edge_logs error' } as const;
const TYPE = 'ARRAY<STRUCT<request ARRAY<STRUCT<user-agent STRING, size INT64, tags ARRAY<STRING>>>>>';

test.each([
  [{ ...STRING, path: path('id'), value: 'a "b" \\' }, 'f:edge_logs error id:"a \\"b\\" \\\\"'],
  [{ ...STRING, path: path('event_message'), value: 'done' }, 'f:edge_logs error event_message:"done"'],
  [{ ...STRING, path: path('from'), value: 'a' }, 'f:edge_logs error -from:!="a"'],
  [
    { columnType: TYPE, path: path('metadata', 'request', 'user-agent'), value: 'x', isNegated: true },
    'f:edge_logs error -m.request."user-agent":"x"',
  ],
  [
    { columnType: TYPE, path: path('metadata', 'request', 'size'), value: -7, isNegated: false },
    'f:edge_logs error m.request.size:-7',
  ],
])('LQL gets a filter: %j', async (filter, text) => {
  expect(await filterText(LQL, null, filter, noSql)).toEqual({ language: 'lql', text });
});

test.each([
  ['NULL', LQL.text, { ...STRING, path: path('id'), value: null }],
  ['a column with the name of the time filter', LQL.text, { ...STRING, path: path('t'), value: 'a' }],
  [
    'a list of values',
    LQL.text,
    { columnType: TYPE, path: path('metadata', 'request', 'tags'), value: 'a', isNegated: false },
  ],
  [
    'a column of a chart',
    'f:edge_logs c:count(*)',
    { columnType: 'INT64', path: path('count'), value: 3, isNegated: false },
  ],
  ['a renamed column', 'f:edge_logs s:id@x', { ...STRING, path: path('x'), value: 'a' }],
] as const)('LQL becomes SQL for %s', async (_what, text, filter) => {
  const asSql = (): Promise<string> => Promise.resolve('select * from edge_logs');
  expect((await filterText({ language: 'lql', text }, null, filter, asSql))?.language).toBe('sql');
  expect(await filterText({ language: 'lql', text }, null, filter, noSql)).toBeNull();
});

test('a value that no text can refer to gives no text', async () => {
  const text = { language: 'sql', text: 'select * from edge_logs' } as const;
  expect(await filterText(text, null, { ...STRING, path: path('id'), value: 'a\0b' }, noSql)).toBeNull();
  expect(await filterText(text, null, { ...STRING, path: path('id'), value: 'x'.repeat(70_000) }, noSql)).toBeNull();
  expect(
    await filterText(text, null, { columnType: 'JSON', path: path('j'), value: 'x', isNegated: false }, noSql)
  ).toBeNull();
});

test('LQL names its table without a description', () => {
  expect(tableOf(LQL, null)).toBe('edge_logs');
  expect(tableOf(null, null)).toBeUndefined();
});

const time = (name: string) => ({ name, type: 'text', required: false, format: 'iso8601' }) as const;

test('the parameters of a time range are found by their names', () => {
  expect(timeParametersOf([time('iso_timestamp_end'), time('iso_timestamp_start')])).toEqual({
    start: 'iso_timestamp_start',
    end: 'iso_timestamp_end',
  });
  expect(timeParametersOf([time('since')])).toEqual({ start: 'since', end: null });
  expect(timeParametersOf([time('day'), { name: 'from', type: 'text', required: false }])).toBeNull();
});

test('a span ends with the run, and takes the place of times', () => {
  const range = { start: 'from', end: 'to' };
  const filled = fillRange({ from: 'x', to: 'y', project: 'a' }, '1h', range, Date.parse('2026-03-01T12:00:00Z'));
  expect(filled).toEqual({ from: '2026-03-01T11:00:00.000Z', to: '', project: 'a' });
  expect(boundsOf(filled, range, Date.parse('2026-03-01T12:00:00Z'))).toEqual({
    fromMs: Date.parse('2026-03-01T11:00:00Z'),
    toMs: Date.parse('2026-03-01T12:00:00Z'),
  });
  expect(boundsOf({ from: 'yesterday', to: '' }, range, 0)).toBeNull();
});
