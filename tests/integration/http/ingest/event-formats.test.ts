/** Requests of shippers are stored by the running service and found by queries. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import buildServer from '../../../support/processes/build-server';
import { ATTACK_ROUTES, attackBody, formatAttacks } from '../../../support/cases/http/format-attacks';
import { decodeResponse, encodeRequest } from '../../../support/references/otlp-messages';
import {
  createPlace,
  type Place,
  PROCESS_TOKEN,
  type ServiceProcess,
  startService,
} from '../../../support/servers/spawned';

const KEY = { 'X-API-KEY': PROCESS_TOKEN };
const NOW = Date.now();
const nanos = (offsetMs = 0): string => `${NOW + offsetMs}000000`;

let place: Place;
let service: ServiceProcess;

beforeAll(async () => {
  await buildServer();
  place = createPlace();
  service = await startService(place);
}, 180_000);
afterAll(async () => {
  await service.stop('SIGINT');
  place.remove();
});

const post = (target: string, type: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  fetch(service.url + target, { method: 'POST', headers: { ...KEY, 'Content-Type': type, ...headers }, body });

async function rows(project: string, sql: string): Promise<unknown> {
  const query = new URLSearchParams({ project, sql });
  const answer = await fetch(`${service.url}/api/endpoints/query/logs.all?${query.toString()}`, { headers: KEY });
  return ((await answer.json()) as { result: unknown }).result;
}

const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const request = (project: string) => ({
  resourceLogs: [
    {
      resource: {
        attributes: [
          attribute('lqe.source', 'edge_requests'),
          attribute('project', project),
          attribute('host.name', 'a'),
        ],
      },
      scopeLogs: [
        {
          logRecords: [
            {
              timeUnixNano: nanos(),
              severityNumber: 17,
              body: { stringValue: 'GET | 500 | /rest/v1/orders' },
              attributes: [
                attribute('request.path', '/rest/v1/orders'),
                { key: 'response.status_code', value: { intValue: '500' } },
              ],
            },
            { timeUnixNano: '1', body: { stringValue: 'from 1970' } },
          ],
        },
      ],
    },
    {
      resource: { attributes: [attribute('service.name', 'function_events'), attribute('project_ref', project)] },
      scopeLogs: [{ logRecords: [{ observedTimeUnixNano: nanos(), body: { stringValue: 'booted' } }] }],
    },
  ],
});

const EDGE_SQL = `select event_message, m.level, rq.path, rs.status_code, h.name as host
  from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as rq
  cross join unnest(m.response) as rs cross join unnest(m.resource) as re cross join unnest(re.host) as h`;

it.each([
  ['application/x-protobuf', 'otlp-bytes', encodeRequest],
  ['application/json', 'otlp-json', (value: unknown) => Buffer.from(JSON.stringify(value))],
])('OTLP in %s is stored once, in two sources, and found by its fields', async (type, project, encode) => {
  for (let time = 0; time < 2; time++) {
    const answer = await post('/v1/logs', type, gzipSync(encode(request(project))), { 'Content-Encoding': 'gzip' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    const bytes = Buffer.from(await answer.arrayBuffer());
    const { partialSuccess } = type === 'application/json' ? JSON.parse(bytes.toString()) : decodeResponse(bytes);
    expect(partialSuccess).toEqual({
      rejectedLogRecords: '1',
      errorMessage: expect.stringContaining('event 1: out_of_retention'),
    });
  }
  expect(await rows(project, EDGE_SQL)).toEqual([
    {
      event_message: 'GET | 500 | /rest/v1/orders',
      level: 'error',
      path: '/rest/v1/orders',
      status_code: 500,
      host: 'a',
    },
  ]);
  expect(
    await rows(project, 'select event_message, m.project_ref from function_logs cross join unnest(metadata) as m')
  ).toEqual([{ event_message: 'booted', project_ref: project }]);
});

it('a log drain is stored once by its ids, and found by its fields', async () => {
  const body = JSON.stringify([
    { id: 'a', timestamp: NOW, source: 'lambda', message: 'equal', proxy: { statusCode: 200 } },
    { id: 'b', timestamp: NOW, source: 'lambda', message: 'equal', proxy: { statusCode: 500 } },
    { id: 'c', timestamp: 'never', message: 'refused' },
  ]);
  for (const duplicates of [0, 2]) {
    const answer = await post('/logs/vercel?source=edge_requests&project=drain', 'application/json', body);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        result: {
          accepted: 2,
          duplicates,
          rejected: 1,
          errors: [expect.objectContaining({ index: 2, code: 'bad_timestamp' })],
        },
        message: 'Logged!',
      },
    ]);
  }
  const sql = `select event_message, m.source, p.statusCode as status from edge_logs
    cross join unnest(metadata) as m cross join unnest(m.proxy) as p order by status`;
  expect(await rows('drain', sql)).toEqual([
    { event_message: 'equal', source: 'lambda', status: 200 },
    { event_message: 'equal', source: 'lambda', status: 500 },
  ]);
});

it('equal deliveries of a webhook without an id are all stored', async () => {
  for (let time = 0; time < 3; time++)
    expect(
      (await post('/api/logs/json?source=edge_requests&project=equal', 'application/json', '{"a":1}')).status
    ).toBe(200);
  expect(await rows('equal', 'select count(*) as n from edge_logs')).toEqual([{ n: 3 }]);
});

it("the JSON form of Loki's push is stored once", async () => {
  const line = JSON.stringify({ request: { path: '/a' }, response: { status_code: 200 } });
  const body = JSON.stringify({
    streams: [
      { stream: { service_name: 'edge_requests', project: 'loki' }, values: [[nanos(), line, { trace_id: 'abc' }]] },
    ],
  });
  for (let time = 0; time < 2; time++)
    expect((await post('/loki/api/v1/push', 'application/json', body)).status).toBe(204);
  expect(
    await rows(
      'loki',
      `select event_message, m.trace_id, rq.path, l.service_name from edge_logs cross join unnest(metadata) as m
       cross join unnest(m.request) as rq cross join unnest(m.labels) as l`
    )
  ).toEqual([{ event_message: line, trace_id: 'abc', path: '/a', service_name: 'edge_requests' }]);
});

/** As these shippers write them, with the settings of docs/shippers.md and without the framing there. */
const SENT = [
  {
    shipper: 'Vector',
    type: 'application/x-ndjson',
    body: (project: string) =>
      `{"file":"/var/log/a.log","host":"web-1","message":"from vector","project":"${project}","source_type":"file","timestamp":"${new Date(NOW).toISOString().slice(0, -1)}456789Z"}\n`,
    field: 'source_type',
    value: 'file',
  },
  {
    shipper: 'Vector',
    type: 'application/json',
    body: (project: string) =>
      `[{"host":"web-1","message":"from vector","project":"${project}","source_type":"stdin","timestamp":"${new Date(NOW).toISOString()}"}]`,
    field: 'source_type',
    value: 'stdin',
  },
  {
    shipper: 'Fluent Bit',
    type: 'application/json',
    body: (project: string) =>
      `{"timestamp":"${new Date(NOW).toISOString().slice(0, -1)}681Z","stream":"stdout","message":"from fluent bit","project":"${project}"}\n`,
    field: 'stream',
    value: 'stdout',
  },
  {
    shipper: 'Fluent Bit',
    type: 'application/json',
    body: (project: string) =>
      `[{"timestamp":${NOW / 1000},"stream":"stderr","message":"from fluent bit","project":"${project}"}]`,
    field: 'stream',
    value: 'stderr',
  },
];

it.each(SENT)('what $shipper sends as $type is stored ($value)', async ({ shipper, type, body, field, value }) => {
  const project = `shipper-${value}`;
  const answer = await post('/api/logs?source=edge_requests', type, gzipSync(body(project)), {
    'Content-Encoding': 'gzip',
  });
  expect(await answer.json()).toEqual({
    result: { accepted: 1, duplicates: 0, rejected: 0, errors: [] },
    message: 'Logged!',
  });
  const found = await rows(
    project,
    `select event_message, timestamp, m.${field} as found from edge_logs cross join unnest(metadata) as m`
  );
  expect(found).toEqual([
    { event_message: `from ${shipper.toLowerCase()}`, timestamp: expect.any(Number), found: value },
  ]);
  const [{ timestamp }] = found as [{ timestamp: number }];
  expect(Math.floor(timestamp / 1000)).toBe(NOW);
});

const DOCS = join(__dirname, '../../../../docs');

it.each([
  ['http-api.md', '/v1/logs', 200],
  ['shippers.md', '/loki/api/v1/push', 204],
])('the example of %s for %s is accepted', async (file, path, status) => {
  const text = readFileSync(join(DOCS, file), 'utf8');
  const [, target, data] = new RegExp(
    `"?(?:\\$URL|http://127\\.0\\.0\\.1:8080)(${path})"? -d '([\\s\\S]*?)'\\n\`\`\``
  ).exec(text)!;
  const body = data!.replaceAll(`'"$(date +%s)000000000"'`, nanos());
  const answer = await post(target!, 'application/json', body);
  expect([answer.status, await answer.text()]).toEqual([status, status === 204 ? '' : '{}']);
});

it('the service is well after bodies that no shipper sends', async () => {
  for (const attack of formatAttacks()) {
    const [target, type] = ATTACK_ROUTES[attack.to];
    const headers: Record<string, string> = attack.gzip ? { 'Content-Encoding': 'gzip' } : {};
    const answer = await post(target, type, attackBody(attack), headers);
    await answer.arrayBuffer();
    expect([attack.name, answer.status < 500]).toEqual([attack.name, true]);
  }
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  expect(await rows('otlp-json', 'select count(*) as n from edge_logs')).toEqual([{ n: 1 }]);
}, 60_000);
