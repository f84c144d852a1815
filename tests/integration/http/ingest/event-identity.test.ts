/** Equal events, retried requests, and the tenant of events, on every ingest route. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Scope } from '#contract/tokens/token';
import buildServer from '../../../support/processes/build-server';
import {
  createPlace,
  type Place,
  PROCESS_TOKEN,
  type ServiceProcess,
  startService,
} from '../../../support/servers/spawned';
import { writeToken } from '../../../support/servers/write-token';

let place: Place;
let service: ServiceProcess;
let acme: string;
let fixed: string;

beforeAll(async () => {
  await buildServer();
  place = createPlace();
  const scopes: Scope[] = ['ingest', 'query', 'adhoc'];
  acme = writeToken(place.dataDir, { name: 'tenant', scopes, tenant: 'acme' });
  fixed = writeToken(place.dataDir, { name: 'fixed', scopes, fixed_parameters: { project: 'acme' } });
  service = await startService(place);
}, 300_000);
afterAll(async () => {
  await service.stop('SIGINT');
  place.remove();
});

interface Sent {
  readonly status: number;
  readonly body: { readonly result?: Record<string, unknown>; readonly error?: { readonly code: string } };
}

async function send(
  path: string,
  body: unknown,
  { token = PROCESS_TOKEN, headers = {} }: { token?: string; headers?: Record<string, string> } = {}
): Promise<Sent> {
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'X-API-KEY': token, 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Sent['body'] };
}

/** Events whose message is this, by tenant. */
async function stored(message: string, table = 'edge_logs', projects = ['acme', 'victim']): Promise<number[]> {
  const counts: number[] = [];
  for (const project of projects) {
    const sql = `select count(*) as n from ${table} where event_message = '${message}'`;
    const query = new URLSearchParams({ project, sql });
    const response = await fetch(`${service.url}/api/endpoints/query/logs.all?${query.toString()}`, {
      headers: { 'X-API-KEY': PROCESS_TOKEN },
    });
    counts.push(((await response.json()) as { result: [{ n: number }] }).result[0].n);
  }
  return counts;
}

const ROUTE = '/api/logs?source=edge_requests&project=acme';
const FINE = '2026-11-20T10:00:00.5Z';
const now = (fraction: string): string => `${new Date().toISOString().slice(0, 19)}${fraction}Z`;

describe('equal events', () => {
  it('in ten requests are stored ten times', async () => {
    for (let i = 0; i < 10; i++) await send(ROUTE, { message: 'heartbeat' });
    expect(await stored('heartbeat')).toEqual([10, 0]);
  });

  it('in ten simultaneous requests are stored ten times', async () => {
    await Promise.all(Array.from({ length: 10 }, () => send(ROUTE, { message: 'at once' })));
    expect(await stored('at once')).toEqual([10, 0]);
  });

  it.each([
    ['without a time', {}],
    ['with a time of whole seconds', { timestamp: now('') }],
    ['with a finer time', { timestamp: now('.25') }],
  ])('of one request, %s, are all stored', async (name, facts) => {
    const events = Array.from({ length: 2500 }, () => JSON.stringify({ ...facts, message: name }));
    expect((await send(ROUTE, events.join('\n'))).body.result).toMatchObject({ accepted: 2500, duplicates: 0 });
    expect((await send(ROUTE, `[${events.join(',')}]`)).body.result).toMatchObject({ accepted: 2500, duplicates: 0 });
    expect(await stored(name)).toEqual([5000, 0]);
  });
});

describe('a request that is sent again', () => {
  it.each([
    ['with a time finer than a second', { timestamp: now('.75') }, {}],
    ['with an Idempotency-Key', {}, { 'Idempotency-Key': '"batch-1"' }],
  ])('%s is stored once', async (name, facts, headers) => {
    const body = Array.from({ length: 1500 }, () => JSON.stringify({ ...facts, message: name })).join('\n');
    await send(ROUTE, body, { headers });
    expect((await send(ROUTE, body, { headers })).body.result).toMatchObject({ accepted: 1500, duplicates: 1500 });
    expect(await stored(name)).toEqual([1500, 0]);
  });

  it('after its connection broke is stored once, with any body', async () => {
    const body = JSON.stringify({ message: 'broken' });
    for (let i = 0; i < 3; i++) {
      const socket = connect(service.port, '127.0.0.1');
      const head = `POST ${ROUTE} HTTP/1.1\r\nHost: t\r\nX-API-KEY: ${PROCESS_TOKEN}\r\nContent-Length: ${body.length}\r\n\r\n`;
      await once(socket, 'connect');
      // Both in one turn: the connection breaks before there is a response, however busy this process is.
      socket.write(head + body);
      socket.destroy();
      await delay(200);
    }
    expect(await stored('broken')).toEqual([1, 0]);
    await send(ROUTE, body);
    expect(await stored('broken')).toEqual([1, 0]);
    await send(ROUTE, body);
    expect(await stored('broken')).toEqual([2, 0]);
  });

  it('with an invalid key is refused', async () => {
    const sent = await send(ROUTE, {}, { headers: { 'Idempotency-Key': 'a b' } });
    expect([sent.status, sent.body.error?.code]).toEqual([400, 'header_invalid']);
  });
});

describe('one id and time of two tenants', () => {
  it.each(['edge_requests', 'function_events'])('are two events of %s', async (source) => {
    const event = { id: 'same', timestamp: FINE, message: `same of ${source}` };
    await send(`/api/logs?source=${source}&project=acme`, event);
    const second = await send(`/api/logs?source=${source}&project=victim`, event);
    expect(second.body.result).toMatchObject({ accepted: 1, duplicates: 0 });
    const third = await send(`/api/logs?source=${source}&project=victim`, event);
    expect(third.body.result).toMatchObject({ accepted: 1, duplicates: 1 });
    const table = source === 'edge_requests' ? 'edge_logs' : 'function_logs';
    expect(await stored(event.message, table)).toEqual([1, 1]);
  });
});

const otlp = (message: string, resource: Record<string, string>, attributes: Record<string, string>): unknown => {
  const list = (facts: Record<string, string>): unknown =>
    Object.entries(facts).map(([key, stringValue]) => ({ key, value: { stringValue } }));
  return {
    resourceLogs: [
      {
        resource: { attributes: list({ 'lqe.source': 'edge_requests', ...resource }) },
        scopeLogs: [{ logRecords: [{ body: { stringValue: message }, attributes: list(attributes) }] }],
      },
    ],
  };
};

const loki = (line: string, labels: Record<string, string>, metadata: Record<string, string> = {}): unknown => ({
  streams: [{ stream: { lqe_source: 'edge_requests', ...labels }, values: [[`${Date.now()}000000`, line, metadata]] }],
});

describe.each([
  ['with a tenant', () => acme],
  ['with a fixed parameter that is a tenant', () => fixed],
])('a token %s', (_, token) => {
  it('fills in its tenant, and cannot write for another', async () => {
    const message = `confined ${token().slice(0, 12)}`;
    const sent = await send(
      '/api/logs?source=edge_requests',
      [{ message }, { message, project: 'acme' }, { message, project: 'victim' }],
      { token: token() }
    );
    expect(sent.body.result).toMatchObject({ accepted: 2, errors: [{ index: 2, code: 'tenant_mismatch' }] });
    await send('/api/logs?source=function_events', [{ message }, { message, metadata: { project_ref: 'victim' } }], {
      token: token(),
    });
    expect([await stored(message), await stored(message, 'function_logs')]).toEqual([
      [2, 0],
      [1, 0],
    ]);
  });

  it('cannot write for another tenant through OTLP and Loki', async () => {
    const message = `shipped ${token().slice(0, 12)}`;
    expect((await send('/v1/logs', otlp(message, { project: 'victim' }, {}), { token: token() })).status).toBe(400);
    expect((await send('/v1/logs', otlp(message, {}, { project: 'victim' }), { token: token() })).status).toBe(400);
    expect((await send('/v1/logs', otlp(message, {}, {}), { token: token() })).status).toBe(200);
    expect((await send('/loki/api/v1/push', loki(message, { project: 'victim' }), { token: token() })).status).toBe(
      400
    );
    expect((await send('/loki/api/v1/push', loki(message, {}), { token: token() })).status).toBe(204);
    expect(await stored(message)).toEqual([2, 0]);
  });

  it('may not name another tenant in the request', async () => {
    const sent = await send('/api/logs?source=edge_requests&project=victim', {}, { token: token() });
    expect([sent.status, sent.body.error?.code]).toEqual([403, 'parameter_locked']);
  });
});

describe('with a token that has no tenant', () => {
  it('the tenant of a label wins over that of structured metadata, which wins over that of the line', async () => {
    const line = JSON.stringify({ project: 'victim', n: 1 });
    await send('/loki/api/v1/push', loki(line, { project: 'acme' }));
    await send('/loki/api/v1/push', loki(line, {}, { project: 'acme' }));
    await send('/loki/api/v1/push', loki(line, { project: 'acme' }, { project: 'victim' }));
    expect(await stored(line)).toEqual([3, 0]);
  });

  it('the tenant of a resource wins over that of its records', async () => {
    await send('/v1/logs', otlp('ranked', { project: 'acme' }, { project: 'victim' }));
    expect(await stored('ranked')).toEqual([1, 0]);
  });

  it('an event that names no tenant is rejected with a hint', async () => {
    const sent = await send('/api/logs?source=edge_requests', { message: 'no tenant' });
    expect(sent.body.result).toMatchObject({
      accepted: 0,
      errors: [{ code: 'tenant_missing', message: expect.stringContaining('project=') as unknown }],
    });
  });
});
