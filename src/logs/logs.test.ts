import {
  LogRowContextQueryDirection,
  SupplementaryQueryType,
  toDataFrame,
  FieldType,
  type LogRowModel,
} from '@grafana/data';
import { config, setAppEvents } from '@grafana/runtime';
import { firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import { unescapeVariables } from '#contract/plugin/literal-text';
import type { EndpointResource } from '#contract/plugin/resources';
import { endpointKey } from '../api/find-endpoint';
import { LOGS_DETAIL } from '../__mocks__/endpoints';
import { fakeService, type SentRequest } from '../__mocks__/service';
import { liveAddress } from './live/live-address';
import type { LogEndpointsQuery } from '../types';
import { lqlField } from '../language/lql-field';
import { queryDisplayText } from '../query/display-text';
import { hasFilter, toggleFilter } from './field-filters';
import { logContextQuery } from './log-context';
import { levelField } from '../language/level-field';
import { splitByLevel } from './levels';
import { logSampleQuery, mayHaveSample } from './log-sample';
import { logTable } from '../language/log-table';
import { logVolumeQuery } from './log-volume';

const LQL: LogEndpointsQuery = {
  refId: 'A',
  endpoint: { name: 'logs.all' },
  mode: 'lql',
  lql: 'f:edge_logs error',
  params: { project: 'acorn', iso_timestamp_start: '${__from:date:iso}' },
};

const ROW = {
  timeEpochMs: 1_700_000_000_123,
  timeEpochNs: '1700000000123000000',
  rowIndex: 1,
  dataFrame: toDataFrame({
    fields: [
      { name: 'timestamp', type: FieldType.time, values: [0, 1_700_000_000_123] },
      { name: 'id', type: FieldType.string, values: ['a', "b'c"] },
      { name: 'tsNs', type: FieldType.string, values: ['0', '1700000000123456000'] },
    ],
  }),
} as unknown as LogRowModel;

test.each([
  ['request.method', 'm.request.method'],
  ['request.headers.user-agent', 'm.request.headers."user-agent"'],
  ['items.0.sku', 'm.items.sku'],
  ['event_message', 'event_message'],
])('the label %s is %s in LQL', (label, field) => {
  expect(lqlField(label)).toBe(field);
});

const FILTER = { label: 'level', value: 'error', operator: '=' } as const;

test('a filter is added, replaced by its opposite, and taken off; the text stays as it is', () => {
  const added = toggleFilter(LQL, FILTER)!;
  expect(added).toMatchObject({ lql: LQL.lql, filters: [{ field: 'm.level', operator: '=', value: 'error' }] });
  expect(hasFilter(added, 'level', 'error')).toBe(true);
  const opposite = toggleFilter(added, { ...FILTER, operator: '!=' })!;
  expect(opposite.filters).toEqual([{ field: 'm.level', operator: '!=', value: 'error' }]);
  expect(hasFilter(opposite, 'level', 'error')).toBe(false);
  expect(toggleFilter(opposite, { ...FILTER, operator: '!=' })!.filters).toEqual([]);
});

test('a value of a log line is no variable, and is shown as it is', () => {
  const value = '/u/${id}/[[x]]/$__from';
  const added = toggleFilter(LQL, { ...FILTER, value })!;
  const sent = fakeService({}, { id: '7', x: '8' }).datasource.applyTemplateVariables(added, {});
  expect([sent.filters, unescapeVariables(sent.filters![0]!.value)]).toEqual([added.filters, value]);
  expect(hasFilter(added, 'level', value)).toBe(true);
  expect(queryDisplayText(added)).toContain(value);
  expect(toggleFilter(added, { ...FILTER, value })!.filters).toEqual([]);
});

test('a filter that an earlier version stored without escapes is found, and taken off', () => {
  const value = '/u/${id}';
  const stored: LogEndpointsQuery = { ...LQL, filters: [{ field: 'm.level', operator: '=', value }] };
  expect(hasFilter(stored, 'level', value)).toBe(true);
  expect(toggleFilter(stored, { ...FILTER, value })!.filters).toEqual([]);
});

test('a saved query that returns a table as it is turns into LQL of that table', () => {
  const saved = { ...LQL, mode: 'saved', lql: undefined } as const;
  expect(toggleFilter(saved, FILTER, LOGS_DETAIL)).toMatchObject({
    mode: 'lql',
    lql: 'f:edge_logs',
    params: LQL.params,
    filters: [{ field: 'm.level', operator: '=', value: 'error' }],
  });
  expect(toggleFilter(saved, FILTER)).toBeUndefined();
  const { endpoint } = LOGS_DETAIL;
  const plain = (end: string) =>
    toggleFilter(saved, FILTER, {
      ...LOGS_DETAIL,
      endpoint: { ...endpoint, query: `SELECT * FROM edge_logs ${end}` },
    });
  expect(plain('AS e ORDER BY e.`timestamp` DESC, 2 LIMIT 10 OFFSET 5; -- page')).toBeDefined();
  expect(plain('EXCEPT DISTINCT SELECT * FROM edge_logs')).toBeUndefined();
  expect(plain('ORDER BY rand()')).toBeUndefined();
  expect(plain(', auth_logs')).toBeUndefined();
  const filtering = { ...LOGS_DETAIL, endpoint: { ...endpoint, query: `${endpoint.query} WHERE e.id > 'a'` } };
  expect(toggleFilter(saved, FILTER, filtering)).toBeUndefined();
});

test('a column of the table is not looked for in the metadata', () => {
  const [edge, ...others] = LOGS_DETAIL.tables;
  const tables = [{ ...edge!, columns: [...edge!.columns, { name: 'path', type: 'STRING' }] }, ...others];
  expect(toggleFilter(LQL, { ...FILTER, label: 'path' }, { ...LOGS_DETAIL, tables })!.filters).toMatchObject([
    { field: 'path' },
  ]);
});

test('SQL takes no filters, and the host is informed', () => {
  const sql = { ...LQL, mode: 'sql', sql: 'select 1' } as const;
  expect(toggleFilter(sql, FILTER, LOGS_DETAIL)).toBeUndefined();
  const published: unknown[] = [];
  setAppEvents({ publish: (event: unknown) => published.push(event) } as never);
  const { datasource } = fakeService();
  expect(datasource.toggleQueryFilter(sql, { type: 'FILTER_FOR', options: { key: 'a', value: 'b' } })).toBe(sql);
  expect(published).toMatchObject([
    { type: 'alert-warning', payload: ['This query takes no filters', expect.any(String)] },
  ]);
});

test('before the tables of a saved query are known, the host asks to wait, and then the filter is put in', async () => {
  const saved = { ...LQL, mode: 'saved', lql: undefined } as const;
  const published: unknown[] = [];
  setAppEvents({ publish: (event: unknown) => published.push(event) } as never);
  const service = fakeService();
  service.answer(`/resources/endpoints/${endpointKey(saved)}`, () => LOGS_DETAIL);
  const action = { type: 'FILTER_FOR', options: { key: 'level', value: 'error' } } as const;
  expect(service.datasource.toggleQueryFilter(saved, action)).toBe(saved);
  expect(published).toMatchObject([{ payload: ['The tables of the endpoint are not known yet', expect.any(String)] }]);
  await service.datasource.catalog.endpoint(endpointKey(saved)!);
  expect(service.datasource.toggleQueryFilter(saved, action)).toMatchObject({ mode: 'lql', lql: 'f:edge_logs' });
});

test('both ways of the host to add a filter do the same', () => {
  const { datasource } = fakeService();
  const options = { key: 'level', value: 'error' };
  expect(datasource.toggleQueryFilter(LQL, { type: 'FILTER_OUT', options }).filters).toEqual(
    datasource.modifyQuery(LQL, { type: 'ADD_FILTER_OUT', options }).filters
  );
  expect(datasource.modifyQuery(LQL, { type: 'OTHER', options })).toBe(LQL);
});

test.each<[string, Partial<LogEndpointsQuery>, string | undefined]>([
  ['LQL with a table', { lql: 'f:auth_logs error' }, 'auth_logs'],
  ['LQL with a table in quotes', { lql: 'f:"auth_logs" error' }, 'auth_logs'],
  ['LQL that searches for text like a clause', { lql: '"no f:auth_logs" f:edge_logs' }, 'edge_logs'],
  ['LQL with a list', { lql: 'm.a:in("f:x", b) f:edge_logs' }, 'edge_logs'],
  ['LQL with a variable for a table', { lql: 'f:$table' }, undefined],
  ['LQL without one of several', { lql: 'error' }, undefined],
  ['a saved query', { mode: 'saved' }, 'edge_logs'],
  [
    'SQL of one table',
    { mode: 'sql', sql: 'select id from edge_logs as e where id in (select id from auth_logs)' },
    'edge_logs',
  ],
  [
    'SQL with records of it',
    { mode: 'sql', sql: 'select m.a from `edge_logs` t cross join unnest(t.metadata) m' },
    'edge_logs',
  ],
  [
    'SQL that names one in a text',
    { mode: 'sql', sql: "select 'from auth_logs' from edge_logs -- from auth_logs" },
    'edge_logs',
  ],
  ['SQL with records after a comma', { mode: 'sql', sql: 'select 1 from edge_logs e, e.metadata m' }, 'edge_logs'],
  ['SQL of two tables after a comma', { mode: 'sql', sql: 'select 1 from edge_logs e, auth_logs' }, undefined],
  ['SQL that compares', { mode: 'sql', sql: 'select id is distinct from auth_logs from edge_logs' }, 'edge_logs'],
  ['SQL with parentheses in a name', { mode: 'sql', sql: 'select `a)`, `(b` from edge_logs' }, 'edge_logs'],
  ['SQL with a doubled quote', { mode: 'sql', sql: "select 'it''s', ' from x' from edge_logs" }, 'edge_logs'],
  ['SQL with a raw string', { mode: 'sql', sql: "select r'\\', ''' from x ''' from edge_logs" }, undefined],
  ['SQL of a table with a variable in its name', { mode: 'sql', sql: 'select 1 from edge_logs$suffix' }, undefined],
  ['SQL of two tables', { mode: 'sql', sql: 'select 1 from edge_logs join auth_logs using (id)' }, undefined],
  ['SQL of a table of its own', { mode: 'sql', sql: 'with a as (select * from edge_logs) select * from a' }, undefined],
])('the table of %s', (_name, changed, table) => {
  expect(logTable({ ...LQL, ...changed }, LOGS_DETAIL)).toBe(table);
});

const volume = (
  changed: Partial<LogEndpointsQuery>,
  detail: EndpointResource | undefined = LOGS_DETAIL,
  columns: string[] | undefined = ['timestamp'],
  isRefused: (sql: string) => boolean = () => false
) =>
  logVolumeQuery(
    { ...LQL, ...changed },
    {
      detail,
      levels: undefined,
      columnsOf: async ({ sql = '' }) =>
        isRefused(sql)
          ? undefined
          : columns?.map((name) => ({ name, type: name === 'timestamp' ? 'TIMESTAMP' : 'STRING' })),
    }
  );

test.each([
  [
    'f:edge_logs error',
    'f:edge_logs error $__timeFilter c:count(*) c:group_by($__timeGroup) c:group_by(m.response.status_code)',
  ],
  [
    'f:edge_logs t:last@1h s:id s:m.path@p',
    'f:edge_logs t:last@1h c:count(*) c:group_by($__timeGroup) c:group_by(m.response.status_code)',
  ],
  [
    'f:auth_logs "t: and s:id and c:count(*)" s:m."user agent"@a',
    'f:auth_logs "t: and s:id and c:count(*)" $__timeFilter c:count(*) c:group_by($__timeGroup) c:group_by(m.level)',
  ],
  [
    'f:auth_logs -timestamp:today m.a:in("s:x", b)',
    'f:auth_logs -timestamp:today m.a:in("s:x", b) c:count(*) c:group_by($__timeGroup) c:group_by(m.level)',
  ],
  ['f:auth_logs', 'f:auth_logs $__timeFilter c:count(*) c:group_by($__timeGroup) c:group_by(m.level)'],
])('the volume of %s is %s', async (lql, expected) => {
  expect(await volume({ lql, maxRows: 10 })).toEqual(expect.objectContaining({ lql: expected, format: 'time_series' }));
  expect(await volume({ lql, maxRows: 10 })).not.toHaveProperty('maxRows');
});

test('the volume of a saved query is that of the table it returns; one that filters has no volume', async () => {
  expect(await volume({ mode: 'saved' })).toMatchObject({
    mode: 'lql',
    lql: 'f:edge_logs $__timeFilter c:count(*) c:group_by($__timeGroup) c:group_by(m.response.status_code)',
    params: LQL.params,
  });
  const { endpoint } = LOGS_DETAIL;
  const grouped = { ...endpoint, query: 'WITH edge_logs AS (…) SELECT id FROM edge_logs GROUP BY id' };
  expect(await volume({ mode: 'saved' }, { ...LOGS_DETAIL, endpoint: grouped })).toBeUndefined();
});

test.each([
  [
    'select timestamp from edge_logs where a = 1 order by timestamp desc limit 10',
    'select timestamp from edge_logs where a = 1',
  ],
  ['select timestamp, `limit` from edge_logs limit 5', 'select timestamp, `limit` from edge_logs'],
  ['select timestamp, m.limit from edge_logs', 'select timestamp, m.limit from edge_logs'],
  ['select * except (id) from edge_logs limit 5', 'select * except (id) from edge_logs'],
  ['/* newest */ select timestamp from edge_logs; -- end', '/* newest */ select timestamp from edge_logs'],
  [
    'select timestamp, row_number() over (order by id) from edge_logs order by 1',
    'select timestamp, row_number() over (order by id) from edge_logs',
  ],
  ["select timestamp, 'order by' from edge_logs;", "select timestamp, 'order by' from edge_logs"],
])('the volume of SQL counts all that it finds, not the page: %s', async (sql, counted) => {
  const query = await volume({ mode: 'sql', sql });
  expect(query?.sql).toBe(
    `select $__timeGroup(timestamp) as time, count(*) as count from (\n${counted}\n) as lines where $__timeFilter(timestamp) group by time order by time`
  );
});

test.each([
  'select 1 from a except distinct select 2 from b',
  'select 1 from a union all select 2 from b',
  'with a as (select 1) select * from a',
])('what cannot be counted whole has no volume: %s', async (sql) =>
  expect(await volume({ mode: 'sql', sql })).toBeUndefined()
);

test.each([
  ['the status of a request', ['timestamp', 'metadata'], 'lines.metadata[0].response[0].status_code'],
  ['a level that the query names', ['timestamp', 'metadata', 'level'], 'lines.level'],
])('the volume of SQL is by level: %s', async (_name, columns, level) => {
  const sql = `select ${columns.join(', ')} from edge_logs`;
  const query = await volume({ mode: 'sql', sql }, LOGS_DETAIL, columns);
  expect(query?.sql).toBe(
    `select $__timeGroup(timestamp) as time, cast(${level} as string) as level, count(*) as count from (\n${sql}\n) as lines where $__timeFilter(timestamp) group by time, level order by time`
  );
});

test('where the service refuses the level, the volume of SQL is without', async () => {
  const sql = `select timestamp, '' as metadata from edge_logs`;
  const query = await volume({ mode: 'sql', sql }, LOGS_DETAIL, ['timestamp', 'metadata'], (text) =>
    text.includes('as level')
  );
  expect(query?.sql).toMatch(/^select \$__timeGroup\(timestamp\) as time, count\(\*\) as count from/);
});

test('SQL without a time has no volume', async () => {
  expect(await volume({ mode: 'sql', sql: 'select id from edge_logs' }, LOGS_DETAIL, ['id'])).toBeUndefined();
});

test('the level that the settings name is asked for where the table has it', () => {
  const [edge, auth] = LOGS_DETAIL.tables;
  expect(levelField(auth!)).toBe('m.level');
  expect(levelField(edge!)).toBe('m.response.status_code');
  expect(levelField(edge!, { levelRules: [] })).toBeUndefined();
  const rule = { field: 'request.method', operator: '=', value: 'DELETE', level: 'warning' } as const;
  expect(levelField(auth!, { levelRules: [rule] })).toBe('m.level');
  expect(levelField(edge!, { levelRules: [rule] })).toBe('m.request.method');
  expect(levelField(edge!, { levelField: 'request.method' })).toBe('m.request.method');
});

test('counts are a frame for each level, as the host colors them', () => {
  const time = { name: 'timestamp', type: FieldType.time, config: {}, values: [1] };
  const count = (level: string) => ({
    name: 'count',
    type: FieldType.number,
    config: {},
    labels: { metadata_level: level },
    values: [2],
  });
  const frames = splitByLevel({ refId: 'log-volume-A', length: 1, fields: [time, count('error'), count('info')] });
  expect(frames.map(({ fields }) => fields[1]?.labels)).toEqual([{ level: 'error' }, { level: 'info' }]);
  expect(frames.every(({ fields, refId }) => fields.length === 2 && refId === 'log-volume-A')).toBe(true);
});

test.each([
  ['statuses', ['200', '301', '404', '499', '503'], {}, { info: 6, warning: 14, error: 10 }],
  ['severities of PostgreSQL', ['LOG', 'NOTICE', 'ERROR', 'PANIC'], {}, { info: 6, error: 6, critical: 8 }],
  ['names of a program', ['warn', 'odd'], {}, { warning: 2, odd: 4 }],
  [
    'rules of the settings',
    ['404', '503'],
    { levelRules: [{ field: 'x', operator: '>=', value: '404', level: 'critical' }] },
    { critical: 6 },
  ],
  ['no rules', ['503'], { levelRules: [] }, { unknown: 2 }],
] as const)('counts by %s are added up by level', (_, values, settings, expected) => {
  const time = { name: 'timestamp', type: FieldType.time, config: {}, values: [1, 2] };
  const counts = values.map((value, at) => ({
    name: 'count',
    type: FieldType.number,
    config: {},
    labels: { value },
    values: [2 * (at + 1), null],
  }));
  const frames = splitByLevel({ refId: 'log-volume-A', length: 2, fields: [time, ...counts] }, settings);
  const sums = frames.map(({ fields }) => [fields[1]!.labels!['level'], fields[1]!.values[0]]);
  expect(Object.fromEntries(sums)).toEqual(expected);
  expect(frames.every(({ fields }) => fields[1]!.values[1] === null)).toBe(true);
});

const VOLUME = { type: SupplementaryQueryType.LogsVolume } as const;

test.each([
  { lql: 'c:count(*)' },
  { lql: '' },
  { hide: true },
  { mode: 'sql', sql: '' },
  { mode: 'saved', format: 'time_series' },
] as const)('no volume is asked for %j', (changed) => {
  expect(fakeService().datasource.getSupplementaryQuery(VOLUME, { ...LQL, ...changed })).toBeUndefined();
});

test('the request for the volume is made into queries when it runs, and what has none is left out', async () => {
  const service = fakeService();
  const request = {
    targets: [LQL, { ...LQL, refId: 'B', mode: 'saved', endpoint: { name: 'usage.api-counts' } }],
  } as never;
  const asked = service.datasource.getSupplementaryRequest(SupplementaryQueryType.LogsVolume, request)!;
  expect(asked).toMatchObject({
    hideFromInspector: true,
    targets: [{ refId: 'log-volume-A' }, { refId: 'log-volume-B' }],
  });
  await firstValueFrom(service.datasource.query({ ...asked, scopedVars: {} }));
  const sent = service.sent.find(({ url }) => url.includes('/api/ds/query'))?.data as { queries: LogEndpointsQuery[] };
  expect(sent.queries).toMatchObject([{ refId: 'log-volume-A', lql: expect.stringContaining('c:count(*)') }]);
  expect(sent.queries[0]).not.toHaveProperty('supplement');
});

test('a sample is the lines behind a count', () => {
  const chart = {
    ...LQL,
    lql: 'f:edge_logs error c:count(*) c:group_by($__timeGroup)',
    format: 'time_series',
  } as const;
  expect(mayHaveSample(chart)).toBe(true);
  expect(mayHaveSample(LQL)).toBe(false);
  expect(logSampleQuery(chart, LOGS_DETAIL, 20)).toMatchObject({
    lql: 'f:edge_logs error $__timeFilter',
    format: 'logs',
    maxRows: 20,
  });
});

test.each<[string, Partial<LogEndpointsQuery>, boolean, object]>([
  ['LQL', { lql: 'f:edge_logs error c:count(*)' }, false, { lql: 'f:edge_logs error $__timeFilter', format: 'logs' }],
  ['a saved query', { mode: 'saved', lql: undefined }, true, { mode: 'saved', supplement: { kind: 'sample' } }],
])('getSupplementaryQuery: the sample of %s in a second pane', async (_name, changed, isMarked, expected) => {
  const { datasource } = fakeService();
  const sample = datasource.getSupplementaryQuery({ type: SupplementaryQueryType.LogsSample }, { ...LQL, ...changed });
  expect(sample).toMatchObject({ refId: 'log-sample-A', ...expected });
  expect('supplement' in sample!).toBe(isMarked);
});

test('the sample keeps quoted text and its own time, and leaves out whole clauses of the chart', () => {
  const lql = 'f:edge_logs "c:x  y" timestamp:today c:group_by($__timeGroup(timestamp, 5m)) c:max(m."a b")';
  const chart = { ...LQL, lql, format: 'time_series' } as const;
  expect(logSampleQuery(chart, LOGS_DETAIL)).toMatchObject({ lql: 'f:edge_logs "c:x  y" timestamp:today' });
  expect(mayHaveSample({ ...chart, lql: 'f:edge_logs "see c:count(*)"' })).toBe(false);
});

test('the sample of a saved count is the newest rows of the table of events it counts', () => {
  const usage = { refId: 'A', endpoint: { name: 'usage.api-counts' }, mode: 'saved' } as const;
  const columns = ['id', 'timestamp', 'method', 'path'].map((name) => ({
    name,
    type: name === 'timestamp' ? 'TIMESTAMP' : 'STRING',
  }));
  const detail = {
    ...LOGS_DETAIL,
    fields: [{ name: 'timestamp', type: 'DATETIME' }],
    tables: [
      { name: 'requests', columns },
      { name: 'paths', columns: [{ name: 'bucket', type: 'TIMESTAMP' }] },
    ],
  };
  expect(logSampleQuery(usage, detail, 5)).toMatchObject({
    mode: 'sql',
    format: 'logs',
    sql: 'select id, timestamp, method, path as event_message from requests\nwhere $__timeFilter(timestamp) order by timestamp desc limit 5',
  });
  expect(logSampleQuery(usage, LOGS_DETAIL)).toBeUndefined();
});

test('the lines after one are asked for by its exact time, oldest first, without itself', () => {
  const query = logContextQuery(
    ROW,
    LQL,
    { name: 'edge_logs' },
    { direction: LogRowContextQueryDirection.Forward, limit: 10 }
  );
  expect(query).toMatchObject({ mode: 'sql', format: 'logs', params: { project: 'acorn' } });
  expect(query?.sql).toContain('timestamp > TIMESTAMP_MICROS(1700000000123456)');
  expect(query?.sql).toContain("id != 'b\\'c'");
  expect(query?.sql).toContain('order by timestamp asc, id limit 10');
});

test('the lines before one begin with those of its own time, newest first', () => {
  const query = logContextQuery(
    ROW,
    LQL,
    { name: 'edge_logs' },
    {
      direction: LogRowContextQueryDirection.Backward,
      limit: 99_999,
    }
  );
  expect(query?.sql).toContain('timestamp <= TIMESTAMP_MICROS(1700000000123456)');
  expect(query?.sql).toContain('order by timestamp desc, id limit 500');
});

test.each([
  [['id', 'timestamp', 'method', 'url'], 'id, timestamp, method, url as event_message', "and id != 'b\\'c'", 'asc, id'],
  [['timestamp', 'event_message', 'end'], 'timestamp, event_message, `end`', '', 'asc'],
])('the lines around one of a table with %j have its columns', (names, selected, id, order) => {
  const columns = names.map((name) => ({ name, type: name === 'timestamp' ? 'TIMESTAMP' : 'STRING' }));
  const options = { direction: LogRowContextQueryDirection.Forward, limit: 10 };
  const { sql } = logContextQuery(ROW, LQL, { name: 'requests', columns }, options);
  expect(sql).toBe(
    [
      `select ${selected} from requests`,
      'where timestamp > TIMESTAMP_MICROS(1700000000123456)',
      ...(id === '' ? [] : [id]),
      `order by timestamp ${order} limit 10`,
    ].join('\n')
  );
});

test('a line whose id was made from its content is not among those before it', () => {
  const fields = [
    { name: 'id', type: FieldType.string, values: ['0123456789abcdef0123456789abcdef'] },
    { name: 'body', type: FieldType.string, values: ["it's $5"] },
    { name: 'tsNs', type: FieldType.string, values: ['1700000000123456000'] },
  ];
  const row = { ...ROW, rowIndex: 0, dataFrame: toDataFrame({ fields }) };
  const sqlOf = (direction: LogRowContextQueryDirection) =>
    logContextQuery(row, LQL, { name: 'edge_logs' }, { direction }).sql;
  expect(sqlOf(LogRowContextQueryDirection.Backward)).toContain(
    "and not (timestamp = TIMESTAMP_MICROS(1700000000123456) and event_message = 'it\\'s \\x245')"
  );
  expect(sqlOf(LogRowContextQueryDirection.Forward)).not.toContain('and not');
});

test('lines around one of an unknown table are refused with a reason', async () => {
  await expect(fakeService().datasource.getLogRowContext(ROW, {}, { ...LQL, lql: 'error' })).rejects.toThrow(
    'read one table'
  );
});

test('lines around one go to the backend', async () => {
  const service = fakeService();
  await service.datasource.getLogRowContext(ROW, { direction: LogRowContextQueryDirection.Forward }, LQL);
  const asked = service.sent.find(({ url }: SentRequest) => url.includes('/api/ds/query'));
  expect(asked?.data).toMatchObject({ from: '1700000000123', queries: [{ refId: 'log-context-A', mode: 'sql' }] });
});

test('a stream has a path that the backend takes, another for another query, the same for the same', () => {
  const { path, stream, data } = liveAddress('uid-1', LQL);
  expect(path).toMatch(/^tail\/[A-Za-z0-9_=.-]{1,120}$/);
  expect(stream).toBe('uid-1');
  expect(data).toBe(LQL);
  expect(liveAddress('uid-1', { ...LQL }).path).toBe(path);
  expect(liveAddress('uid-1', { ...LQL, lql: 'f:edge_logs errors' }).path).not.toBe(path);
});

describe('volume and sample of hosts before 10.4', () => {
  const VERSION = config.buildInfo.version;
  afterEach(() => {
    config.buildInfo.version = VERSION;
  });

  const ask = async (version: string, type: SupplementaryQueryType, results: object) => {
    config.buildInfo.version = version;
    const service = fakeService();
    service.answer('/api/ds/query', () => ({ results }));
    const time = { valueOf: () => 1_000 };
    const request = {
      requestId: 'explore_0',
      intervalMs: 8_000,
      range: { from: time, to: time, raw: { from: time, to: time } },
      scopedVars: {},
      targets: [LQL],
    };
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    const provided = service.datasource.getDataProvider?.(type, request as never);
    const answers = provided && (await lastValueFrom(provided.pipe(toArray())));
    const asked = service.sent.filter(({ url }) => url.includes('/api/ds/query')).map(({ data }) => data);
    if (answers) expect(asked).toMatchObject([{ queries: [{ intervalMs: 60_000 }] }]);
    return answers;
  };
  const frame = (refId: string, status = '503') => ({
    schema: {
      refId,
      fields: [
        { name: 't', type: 'time' },
        { name: 'n', type: 'number', labels: { status } },
      ],
    },
    data: { values: [[1], [2]] },
  });

  test.each(['10.1.5', '10.3.12'])(
    'getDataProvider: the volume of the whole range in the colors of its levels, in %s',
    async (version) => {
      const answers = await ask(version, SupplementaryQueryType.LogsVolume, {
        'log-volume-A': { frames: [frame('log-volume-A')] },
      });
      expect(answers!.map(({ state }) => state)).toEqual(['Loading', 'Done']);
      expect(answers![1]!.data).toMatchObject([
        {
          fields: [{ type: 'time' }, { config: { displayNameFromDS: 'error', color: { fixedColor: '#F2495C' } } }],
          meta: {
            custom: {
              logsVolumeType: 'FullRange',
              absoluteRange: { from: 1_000, to: 1_000 },
              sourceQuery: { refId: 'A' },
            },
          },
        },
      ]);
    }
  );

  test('a level with the name of a member of all objects has the color of unknown levels', async () => {
    const answers = await ask('10.1.5', SupplementaryQueryType.LogsVolume, {
      'log-volume-A': { frames: [frame('log-volume-A', 'constructor')] },
    });
    expect(answers!.at(-1)!.data).toMatchObject([
      {
        fields: [{ type: 'time' }, { config: { displayNameFromDS: 'constructor', color: { fixedColor: '#8E8E8E' } } }],
      },
    ]);
  });

  test('a failure is an answer with the error', async () => {
    const answers = await ask('10.1.5', SupplementaryQueryType.LogsVolume, {
      'log-volume-A': {
        error: 'no such table',
        status: 400,
        frames: [{ schema: { refId: 'log-volume-A', fields: [] }, data: { values: [] } }],
      },
    });
    expect(answers!.at(-1)).toMatchObject({ state: 'Error', error: { message: 'no such table' }, data: [] });
  });

  test('where there is nothing to show, nothing is provided', async () => {
    expect(await ask('10.2.0', SupplementaryQueryType.LogsSample, {})).toBeUndefined();
  });

  test.each(['10.4.0', '11.0.0', '13.1.1'])('%s has no provider', async (version) => {
    expect(await ask(version, SupplementaryQueryType.LogsVolume, {})).toBeUndefined();
  });
});

test.each([
  ['request.method', 'Request'],
  ['parsed.error_severity', 'Parsed'],
  ['cf_edge.ip.country', 'Cf edge'],
  ['project', 'Event'],
  ['.odd', 'Event'],
])('getLabelDisplayTypeFromFrame: the label %s stands under %s', (label, group) => {
  const { getLabelDisplayTypeFromFrame } = fakeService().datasource;
  expect(getLabelDisplayTypeFromFrame(label)).toBe(group);
});
