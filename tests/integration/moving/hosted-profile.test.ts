/**
 * The hosted profile: the tables, columns, types and paths that callers of the hosted service know.
 *
 * @slow 10
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { loadSources } from '#server/catalog/definitions/load-sources';
import buildServer from '../../support/processes/build-server';
import { createPlace, PROCESS_TOKEN, type ServiceProcess, startService } from '../../support/servers/spawned';

const ROOT = path.resolve(__dirname, '..', '..', '..');
const HOSTED = path.join(ROOT, 'examples', 'hosted');
const TABLES = [
  ['edge_logs', 'edge_requests'],
  ['postgres_logs', 'database'],
  ['function_edge_logs', 'function_relay'],
  ['function_logs', 'function_events'],
  ['auth_logs', 'auth_service'],
  ['auth_audit_logs', 'auth_audit'],
  ['realtime_logs', 'realtime_service'],
  ['storage_logs', 'storage_service'],
  ['postgrest_logs', 'rest_gateway'],
  ['pgbouncer_logs', 'connection_pooler'],
  ['supavisor_logs', 'shared_pooler'],
  ['pg_upgrade_logs', 'database_upgrades'],
  ['etl_replication_logs', 'replication'],
  ['workflow_run_logs', 'workflow_runs'],
  ['multigres_logs', 'multigres'],
] as const;

const place = createPlace();
let service: ServiceProcess;

beforeAll(async () => {
  await buildServer();
  service = await startService(place, {
    LQE_ENDPOINTS_DIR: path.join(HOSTED, 'endpoints'),
    LQE_SOURCES_FILE: path.join(HOSTED, 'sources.yaml'),
  });
  await Promise.all(TABLES.map(([, source]) => ingest(source, [eventOf(source)])));
  await ingest('database', [
    {
      ...eventOf('database'),
      event_message: 'cron job 7 starting',
      metadata: { parsed: [{ application_name: 'psql' }] },
    },
    { ...eventOf('database'), event_message: 'done', metadata: { parsed: [{ application_name: 'pg_cron' }] } },
  ]);
}, 120_000);

afterAll(async () => {
  await service?.stop();
  place.remove();
});

/** Each source has the tenant of its events in one of three places. */
function eventOf(source: string): Record<string, unknown> {
  return {
    project: 'abcd',
    identifier: 'abcd',
    event_message: `message of ${source}`,
    timestamp: new Date(Date.now() - 1000).toISOString(),
    metadata: { project_ref: 'abcd', project: 'abcd' },
  };
}

async function ingest(source: string, events: readonly Record<string, unknown>[]): Promise<void> {
  const answer = await fetch(`${service.url}/api/logs?source=${source}`, {
    method: 'POST',
    headers: { 'X-API-KEY': PROCESS_TOKEN, 'Content-Type': 'application/json' },
    body: JSON.stringify(events),
  });
  expect(await answer.json()).toMatchObject({ result: { accepted: events.length, rejected: 0 } });
}

async function call(endpoint: string, parameters: Record<string, string> = {}, project = 'abcd'): Promise<unknown> {
  const query = new URLSearchParams(parameters).toString();
  const answer = await fetch(`${service.url}/v1/projects/${project}/analytics/endpoints/${endpoint}?${query}`, {
    headers: { Authorization: `Bearer ${PROCESS_TOKEN}` },
  });
  return answer.json();
}

const sql = (text: string) => call('logs.all', { sql: text });

test.each(TABLES)('%s has five columns and the events of its project', async (table, source) => {
  const { result } = (await sql(
    `select identifier, ${table}.timestamp, id, event_message, metadata from ${table}
     where event_message like 'message of%' order by timestamp desc limit 10`
  )) as { result: Record<string, unknown>[] };
  expect(result).toMatchObject([{ event_message: `message of ${source}` }]);
  expect(Object.keys(result[0]!)).toEqual(['identifier', 'timestamp', 'id', 'event_message', 'metadata']);
});

test('pg_cron_logs are the events of the scheduler', async () => {
  expect(await sql('select event_message from pg_cron_logs order by event_message')).toEqual({
    result: [{ event_message: 'cron job 7 starting' }, { event_message: 'done' }],
  });
});

test('another project has nothing', async () => {
  const answer = await fetch(`${service.url}/v1/projects/other/analytics/endpoints/logs.all`, {
    headers: { Authorization: `Bearer ${PROCESS_TOKEN}` },
  });
  expect(await answer.json()).toEqual({ result: [] });
});

interface HostedText {
  readonly name: string;
  readonly sql: string;
  /** Names and types. */
  readonly columns: readonly string[];
}

const texts = parse(
  readFileSync(path.resolve(__dirname, '..', '..', 'corpus', 'moving', 'hosted-texts.yaml'), 'utf8')
) as HostedText[];

test.each(texts)('$name', async ({ sql: text, columns }) => {
  const query = new URLSearchParams({
    sql: text,
    iso_timestamp_start: '2026-01-01T00:00:00.000Z',
    iso_timestamp_end: '',
  });
  const answer = await fetch(`${service.url}/v1/projects/abcd/analytics/endpoints/logs.all?${query.toString()}`, {
    headers: { Authorization: `Bearer ${PROCESS_TOKEN}`, 'SVC-ENDPOINT-META': 'true' },
  });
  const body = (await answer.json()) as { meta?: { columns: { name: string; type: string }[] } };
  expect(body.meta?.columns.map(({ name, type }) => `${name} ${type}`) ?? body).toEqual(columns);
});

describe('usage.api-counts', () => {
  const edgeRequest = (minutesAgo: number) => ({
    ...eventOf('edge_requests'),
    timestamp: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
    metadata: {
      request: { url: 'https://usage.example/rest/v1/a', path: '/rest/v1/a', headers: { content_length: 12 } },
    },
  });
  beforeAll(() => ingest('edge_requests', [1, 20, 100, 20 * 60, 60 * 60, 6 * 24 * 60].map(edgeRequest)));

  test.each([
    ['15min', 1],
    ['30min', 2],
    ['1hr', 2],
    ['3hr', 3],
    ['1day', 4],
    ['3day', 5],
    ['7day', 6],
  ])('counts the window %s', async (interval, calls) => {
    const answer = await fetch(
      `${service.url}/v1/projects/usage.example/analytics/endpoints/usage.api-counts?interval=${interval}`,
      { headers: { Authorization: `Bearer ${PROCESS_TOKEN}` } }
    );
    const { result } = (await answer.json()) as { result: { total_rest_requests: number }[] };
    expect(result.reduce((sum, row) => sum + row.total_rest_requests, 0)).toBe(calls);
  });

  test('a number in a field of type STRING is its text', async () => {
    expect(
      await sql(`select distinct h.content_length from edge_logs cross join unnest(metadata) as m
        cross join unnest(m.request) as r cross join unnest(r.headers) as h where h.content_length is not null`)
    ).toEqual({ result: [{ content_length: '12' }] });
  });
});

test('usage.api-requests-count counts the requests of the last 24 hours', async () => {
  const edgeRequest = (hoursAgo: number) => ({
    ...eventOf('edge_requests'),
    project: 'counted',
    timestamp: new Date(Date.now() - hoursAgo * 3_600_000).toISOString(),
  });
  await ingest('edge_requests', [1, 23, 25].map(edgeRequest));
  expect(await call('usage.api-requests-count', {}, 'counted')).toEqual({ result: [{ count: 2 }] });
});

describe('functions.combined-stats', () => {
  const minute = Math.floor(Date.now() / 60_000) - 2;
  const at = (seconds: number, metadata: object) => ({
    ...eventOf('function_relay'),
    timestamp: new Date(minute * 60_000 + seconds * 1000).toISOString(),
    metadata: { project_ref: 'abcd', function_id: 'f1', ...metadata },
  });
  beforeAll(async () => {
    const invocation = (status: number, time: number) => ({
      execution_time_ms: time,
      response: { status_code: status },
    });
    await ingest('function_relay', [
      at(1, invocation(200, 10)),
      at(2, invocation(204, 20)),
      at(3, invocation(302, 30)),
      at(4, invocation(404, 40)),
      at(5, invocation(500, 150)),
      at(6, { ...invocation(200, 999), function_id: 'f2' }),
    ]);
    await ingest('function_events', [
      at(1, { level: 'info' }),
      at(2, { level: 'error' }),
      at(3, { level: 'log', cpu_time_used: 40, memory_used: { heap: 3_145_728, external: 1_048_576 } }),
      at(4, { level: 'log', cpu_time_used: 20, memory_used: { heap: 1_048_576, external: 1_048_576 } }),
    ]);
  });

  test.each(['15min', '1hr', '3hr'])('has one row for each minute of %s', async (interval) => {
    expect(await call('functions.combined-stats', { interval, function_id: 'f1' })).toEqual({
      result: [
        {
          timestamp: minute * 60_000_000,
          requests_count: 5,
          log_count: 4,
          log_info_count: 1,
          log_warn_count: 0,
          log_error_count: 1,
          success_count: 2,
          redirect_count: 1,
          client_err_count: 1,
          server_err_count: 1,
          avg_cpu_time_used: 30,
          max_cpu_time_used: 40,
          avg_execution_time: 50,
          max_execution_time: 150,
          avg_memory_used: 3,
          avg_heap_memory_used: 2,
          avg_external_memory_used: 1,
        },
      ],
    });
  });

  test('has one row for each hour of a day', async () => {
    expect(await call('functions.combined-stats', { interval: '1day', function_id: 'f1' })).toMatchObject({
      result: [{ timestamp: Math.floor(minute / 60) * 3_600_000_000, requests_count: 5 }],
    });
  });

  test('a missing parameter is named', async () => {
    expect(await call('functions.combined-stats', { interval: '1hr' })).toMatchObject({
      error: { code: 'parameter_missing', details: { missing: ['function_id'] } },
    });
  });
});

test('sources have all fields of the standard profile, with another type where the hosted service has one', () => {
  const hosted = loadSources(path.join(HOSTED, 'sources.yaml'));
  const changed = loadSources(path.join(ROOT, 'sources.yaml')).flatMap(({ name, fields }) => {
    const types = hosted.find((source) => source.name === name)?.fields ?? {};
    return Object.entries(fields)
      .filter(([field, type]) => types[field] !== type)
      .map(([field]) => [`${name}: ${field}`, types[field]]);
  });
  expect(Object.fromEntries(changed)).toEqual({
    'edge_requests: request.headers.content_length': 'STRING',
    'edge_requests: response.headers.content_length': 'STRING',
    'edge_requests: response.headers.x_kong_proxy_latency': 'STRING',
    'edge_requests: response.headers.x_kong_upstream_latency': 'STRING',
    'function_relay: request.headers.content_length': 'STRING',
    'function_relay: response.headers.content_length': 'STRING',
    'auth_service: timestamp': 'STRING',
    'storage_service: req.headers.content_length': 'STRING',
  });
});
