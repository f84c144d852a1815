import { decodeFrame } from '../support/decode-frame';
import { type HostQuery, type PluginHost, startPlugin } from '../support/plugin-host';
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

async function frameOf(query: HostQuery, headers?: Record<string, string>) {
  const response = (await host.query(sample.source, [query], { headers }))[query.refId]!;
  expect({ error: response.error, status: response.status }).toEqual({ error: '', status: 200 });
  expect(response.frames).toHaveLength(1);
  return decodeFrame(response.frames[0]!);
}

const usage = (params: object = {}) => ({
  endpoint: { name: 'usage.api-counts' },
  params: { interval: 'minutely', project: PROJECT, ...params },
});
const adhoc = (mode: 'sql' | 'lql', text: string, more: object = {}) => ({
  endpoint: { name: 'logs.all' },
  mode,
  [mode]: text,
  params: { project: PROJECT },
  ...more,
});

test('usage counts are a wide time series with one field for each area', async () => {
  const frame = await frameOf({ refId: 'A', query: usage() });
  expect(frame).toMatchObject({
    refId: 'A',
    name: 'usage.api-counts',
    meta: { type: 'timeseries-wide', typeVersion: [0, 1] },
  });
  expect(frame.fields.map(({ name, type, nullable }) => [name, type, nullable])).toEqual([
    ['timestamp', 'time', false],
    ['total_rest_requests', 'number', false],
    ['total_storage_requests', 'number', false],
    ['total_auth_requests', 'number', false],
    ['total_realtime_requests', 'number', false],
  ]);
  expect(frame.field('total_rest_requests').config).toEqual({ displayNameFromDS: 'Rest' });
  expect(frame.length).toBeGreaterThan(10);
  const times = frame.field('timestamp').values as bigint[];
  expect([...times].sort((a, b) => (a < b ? -1 : 1))).toEqual(times);
  expect(times.every((time) => time % 60_000_000_000n === 0n)).toBe(true);
});

test('usage counts of a project without requests have the same fields and no rows', async () => {
  const frame = await frameOf({ refId: 'A', query: usage({ project: 'unknown' }) });
  expect(frame.length).toBe(0);
  expect(frame.fields.map(({ type, nullable }) => [type, nullable])).toEqual([
    ['time', false],
    ...Array(4).fill(['number', false]),
  ]);
  expect(frame.meta).toMatchObject({ type: 'timeseries-wide', typeVersion: [0, 1] });
});

test('logs are log lines: newest first, metadata as labels, the exact time as text', async () => {
  const frame = await frameOf({ refId: 'L', query: { endpoint: { name: 'logs.all' }, params: { project: PROJECT } } });
  expect(frame.meta).toMatchObject({ type: 'log-lines', preferredVisualisationType: 'logs' });
  expect(frame.fields.map(({ name, type, nullable }) => [name, type, nullable])).toEqual([
    ['timestamp', 'time', false],
    ['body', 'string', false],
    ['severity', 'string', false],
    ['id', 'string', false],
    ['labels', 'json', false],
    ['tsNs', 'string', false],
  ]);
  expect(frame.length).toBe(100);
  expect(frame.field('body').values[0]).toBe('GET | 200 | /rest/v1/orders');
  expect(frame.field('timestamp').values[0]).toBe(BigInt(sample.newestMs) * 1_000_000n);
  expect(frame.field('severity').values.slice(0, 4)).toEqual(['info', 'info', 'warning', 'error']);
  expect(frame.field('tsNs').values[0]).toBe(`${sample.newestMs}000000`);
  expect(frame.field('labels').values[0]).toMatchObject({
    'request.path': '/rest/v1/orders',
    'request.method': 'GET',
    'response.status_code': '200',
  });
});

test('the time range of the panel is sent in the parameters of the endpoint', async () => {
  const params = { project: PROJECT, iso_timestamp_start: '${__from:date:iso}', iso_timestamp_end: '${__to:date:iso}' };
  const range = { from: sample.newestMs - 200_000, to: sample.newestMs - 100_000 };
  const frame = await frameOf({ refId: 'A', query: { endpoint: { name: 'logs.all' }, params }, ...range });
  expect(frame.length).toBe(5);
});

test.each([
  [
    'sql',
    'select $__timeGroup(timestamp, 5m) as time, count(*) as n from edge_logs where $__timeFilter(timestamp) group by time',
  ],
  [
    'sql',
    'select $__timeGroup(timestamp) as time, count(*) as n from edge_logs where $__timeFilter(timestamp) group by time order by time desc',
  ],
  [
    'sql',
    'select TIMESTAMP_TRUNC(timestamp, MINUTE) as time, count(*) as n from edge_logs where timestamp >= TIMESTAMP_MILLIS($__from) and timestamp <= TIMESTAMP_MILLIS(${__to}) group by time',
  ],
  ['lql', 'c:count(*) c:group_by($__timeGroup) $__timeFilter'],
  ['lql', 'c:count(*) c:group_by(t::$__interval) $__timeFilter'],
  ['lql', 'c:count(*) c:group_by($__timeGroup(90s)) $__timeFilter'],
] as const)('macros of %s make a time series of every event in the range: %s', async (mode, text) => {
  const range = { from: sample.newestMs - 1_000_000, to: sample.newestMs };
  const words = mode === 'lql' ? `f:edge_logs ${text}` : text;
  const frame = await frameOf({ refId: 'A', query: adhoc(mode, words), ...range });
  expect(frame.meta.type).toBe('timeseries-wide');
  const counts = frame.fields.find(({ type }) => type === 'number')!.values;
  expect(counts.reduce((sum: number, n) => sum + Number(n), 0)).toBe(51);
  const times = frame.fields[0]!.values as bigint[];
  expect([...times].sort((a, b) => (a < b ? -1 : 1))).toEqual(times);
});

test('text columns become labels of the series', async () => {
  const text = `select TIMESTAMP_TRUNC(timestamp, HOUR) as time, rq.path as path, count(*) as n from edge_logs
    cross join unnest(metadata) as md cross join unnest(md.request) as rq group by time, path`;
  const frame = await frameOf({ refId: 'A', query: adhoc('sql', text) });
  const [time, ...values] = frame.fields;
  expect(time).toMatchObject({ name: 'time', type: 'time', nullable: false });
  expect(values.map(({ name, labels }) => `${name} ${labels['path']}`).sort()).toEqual([
    'n /auth/v1/token',
    'n /realtime/v1/websocket',
    'n /rest/v1/orders',
    'n /storage/v1/object/a.png',
  ]);
  const total = values.flatMap((field) => field.values).reduce((sum: number, n) => sum + Number(n ?? 0), 0);
  expect(total).toBe(EVENT_COUNT);
});

test.each([
  ['lql', 'f:edge_logs c:count(*) c:group_by(t::1h) c:group_by(m.response.status_code) c:group_by(m.request.method)'],
  [
    'lql',
    'f:edge_logs chart:group_by(m.response.status_code) chart:group_by(m.request.method) c:group_by(t::1h) c:count(*)',
  ],
] as const)('groups of an LQL chart that are numbers become labels: %s %s', async (mode, text) => {
  const [, ...values] = (await frameOf({ refId: 'A', query: adhoc(mode, text) })).fields;
  expect(values.map(({ labels }) => Object.values(labels).join(' ')).sort()).toEqual(['200 GET', '404 GET', '500 GET']);
  const total = values.flatMap((field) => field.values).reduce((sum: number, n) => sum + Number(n ?? 0), 0);
  expect(total).toBe(EVENT_COUNT);
});

test.each([
  'select 1 as n',
  'select count(*) as n from (select id from edge_logs) as x',
  'select 1 as n union all select 2',
])('SQL that names no table runs as it is: %s', async (text) => {
  expect((await frameOf({ refId: 'A', query: adhoc('sql', text, { format: 'table' }) })).length).toBeGreaterThan(0);
});

test('field filters apply to an LQL text, with any quotes in their values', async () => {
  const filter = (value: string, operator = '=', field = 'm.request.path') => [{ field, operator, value }];
  const rows = async (filters: object[]) =>
    (await frameOf({ refId: 'A', query: adhoc('lql', 'f:edge_logs', { filters }) })).length;
  expect(await rows(filter('/rest/v1/orders'))).toBe(EVENT_COUNT / 4);
  expect(await rows(filter('/rest/v1/orders', '!='))).toBe((EVENT_COUNT / 4) * 3);
  expect(await rows(filter('a "quoted" \\ value'))).toBe(0);
  expect(await rows(filter('^/(rest|auth)/', '=~'))).toBe(EVENT_COUNT / 2);
  expect(await rows(filter('^/(rest|auth)/', '!~'))).toBe(EVENT_COUNT / 2);
  expect(await rows(filter('404', '>', 'm.response.status_code'))).toBe(EVENT_COUNT / 4);
  expect(await rows(filter('404', '<', 'm.response.status_code'))).toBe(EVENT_COUNT / 2);
});

test('words that LQL searches for are marked in the lines', async () => {
  const frame = await frameOf({ refId: 'A', query: adhoc('lql', 'f:edge_logs GET ~"/rest.*" -nothing') });
  expect(frame.meta.custom).toMatchObject({ searchWords: ['GET', '/rest.*'] });
});

test('a table keeps its columns, with nested values as JSON', async () => {
  const text = `select count(*) as n, true as yes, 1.5 as ratio, date(timestamp) as day, array_agg(id order by id limit 2) as ids,
    cast(null as string) as nothing from edge_logs group by day`;
  const frame = await frameOf({ refId: 'A', query: adhoc('sql', text, { format: 'table' }) });
  expect(frame.meta).toMatchObject({ type: 'table', preferredVisualisationType: 'table' });
  expect(frame.fields.map(({ name, type, nullable }) => [name, type, nullable])).toEqual([
    ['n', 'number', false],
    ['yes', 'boolean', false],
    ['ratio', 'number', false],
    ['day', 'string', false],
    ['ids', 'json', false],
    ['nothing', 'string', true],
  ]);
  expect(frame.field('ids').values[0]).toHaveLength(2);
});

test('a query may ask for fewer rows, and a notice says so', async () => {
  const frame = await frameOf({
    refId: 'A',
    query: { endpoint: { name: 'logs.all' }, params: { project: PROJECT }, maxRows: 7 },
  });
  expect(frame.length).toBe(7);
  expect(frame.meta.notices).toEqual([
    { severity: 'info', text: 'Only the first 7 rows are shown, as the query asks.' },
  ]);
  expect(frame.meta.custom).toMatchObject({ limit: 7 });
});

test('a notice names a parameter that the endpoint does not have', async () => {
  const frame = await frameOf({ refId: 'A', query: usage({ projct: 'x' }) });
  // A result from the cache has a notice of its own.
  expect(frame.meta.notices).toContainEqual({
    severity: 'warning',
    text: 'The endpoint has no parameter of this name: projct.',
  });
});

test('redaction is switched on by the query or by the data source, and a notice says so', async () => {
  const query = { endpoint: { name: 'logs.all' }, params: { project: PROJECT } };
  const redactedOf = async (source: object, more: object) => {
    const { A } = await host.query({ ...sample.source, ...source }, [{ refId: 'A', query: { ...query, ...more } }]);
    const { custom, notices = [] } = decodeFrame(A!.frames[0]!).meta;
    const isRedacted = custom!['redacted'];
    expect(notices.some((notice) => notice.text === 'Personal data is redacted.')).toBe(isRedacted);
    return isRedacted;
  };
  expect(await redactedOf({}, {})).toBe(false);
  expect(await redactedOf({}, { redactPii: true })).toBe(true);
  expect(await redactedOf({ uid: 'redacting', jsonData: { redactPii: true } }, { redactPii: false })).toBe(true);
});

test('the project of the data source is used when the query has none', async () => {
  const source = { ...sample.source, uid: 'with-project', jsonData: { defaultProject: PROJECT } };
  const { A } = await host.query(source, [{ refId: 'A', query: { endpoint: { name: 'logs.all' } } }]);
  expect(decodeFrame(A!.frames[0]!).length).toBe(100);
});

test('each query of a request succeeds or fails separately, under its own refId', async () => {
  const answers = await host.query(sample.source, [
    { refId: 'good', query: usage() },
    { refId: 'bad', query: adhoc('sql', 'select nope from edge_logs') },
    { refId: 'empty', query: {} },
  ]);
  expect(Object.keys(answers).sort()).toEqual(['bad', 'empty', 'good']);
  expect(answers['good']).toMatchObject({ status: 200, error: '' });
  expect(answers['bad']).toMatchObject({ status: 400, errorSource: 'downstream' });
  expect(answers['empty']).toMatchObject({ status: 400, error: 'The query names no endpoint; choose one.' });
  expect(decodeFrame(answers['bad']!.frames[0]!)).toMatchObject({
    fields: [],
    meta: { executedQueryString: 'select nope from edge_logs' },
  });
});

describe('in an alert rule', () => {
  const alert = { FromAlert: 'true', 'X-Cache-Skip': 'true' };

  test('usage counts have their types, also without rows', async () => {
    for (const project of [PROJECT, 'unknown']) {
      const frame = await frameOf(
        { refId: 'A', query: usage({ project }), intervalMs: 1000, maxDataPoints: 43_200 },
        alert
      );
      expect(frame.meta).toMatchObject({ type: 'timeseries-wide', typeVersion: [0, 1] });
      expect(frame.fields.every(({ nullable }) => !nullable)).toBe(true);
    }
  });

  test('a count without time is one number for each set of labels', async () => {
    const text = `select rs.status_code >= 500 as failed, count(*) as n from edge_logs
      cross join unnest(metadata) as md cross join unnest(md.response) as rs group by failed`;
    const frame = await frameOf({ refId: 'A', query: adhoc('sql', text) }, alert);
    expect(frame).toMatchObject({ length: 1, meta: { type: 'numeric-wide', typeVersion: [0, 1] } });
    const counts = Object.fromEntries(frame.fields.map(({ labels, values }) => [labels['failed'], Number(values[0])]));
    expect(counts).toEqual({ true: EVENT_COUNT / 4, false: (EVENT_COUNT / 4) * 3 });
  });

  test('log lines are refused with what to choose instead', async () => {
    for (const format of ['auto', 'logs', 'table']) {
      const query = { endpoint: { name: 'logs.all' }, params: { project: PROJECT }, format };
      const { A } = await host.query(sample.source, [{ refId: 'A', query }], { headers: alert });
      expect(A).toMatchObject({ status: 400, errorSource: 'downstream' });
      expect(A!.error).toMatch(/^Alert rules and expressions need numbers; .* Hint: count the rows in SQL or LQL/);
    }
  });

  test('the error for a dashboard variable says that it has no value there', async () => {
    for (const project of ['$project', '${project}', '${project:regex}']) {
      const { A } = await host.query(sample.source, [{ refId: 'A', query: usage({ project }) }], { headers: alert });
      expect(A!.error).toBe(
        'The variable $project has no value. Hint: alert rules have no dashboard variables; write the value itself.'
      );
    }
  });
});

test('equal queries of one request are one call of the service', async () => {
  const runs = async () => {
    const text = await (
      await fetch(`${sample.service.url}/metrics`, { headers: { 'X-API-KEY': sample.source.secure!['apiKey']! } })
    ).text();
    return text
      .split('\n')
      .filter((line) => line.startsWith('logquery_http_requests_total') && line.includes('/api/endpoints/query'))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };
  const before = await runs();
  const query = adhoc('sql', 'select count(*) as n from edge_logs');
  await host.query(
    sample.source,
    ['A', 'B', 'C', 'D'].map((refId) => ({ refId, query }))
  );
  expect((await runs()) - before).toBe(1);
});
