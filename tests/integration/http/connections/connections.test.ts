/**
 * Clients that send slowly, do not read, stay idle, pipeline, or are many; and the stop of the server with them.
 *
 * @slow 25
 * @waits
 */
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import buildServer from '../../../support/processes/build-server';
import {
  createPlace,
  type Place,
  PROCESS_TOKEN,
  type ServiceProcess,
  startService,
} from '../../../support/servers/spawned';

const KEY = { 'X-API-KEY': PROCESS_TOKEN };
const HEAD = `Host: t\r\nX-API-KEY: ${PROCESS_TOKEN}\r\n`;
const CALL = '/api/endpoints/query/logs.all?project=p';
const EVENTS = 400;

let place: Place;
let service: ServiceProcess;

beforeAll(async () => {
  await buildServer();
  place = createPlace();
  await fill();
}, 180_000);
afterEach(() => service.stop('SIGINT'));
afterAll(() => place.remove());

/** Events of 20 KiB each, so that an answer is larger than what the system's buffers take. */
async function fill(): Promise<void> {
  service = await startService(place);
  const filler = 'x'.repeat(20_000);
  const body = Array.from({ length: EVENTS }, (_, n) =>
    JSON.stringify({ id: `e${n}`, project: 'p', event_message: `${n} ${filler}`, metadata: { n } })
  ).join('\n');
  const answer = await fetch(`${service.url}/api/logs?source=edge_requests`, {
    method: 'POST',
    headers: { ...KEY, 'Content-Type': 'application/x-ndjson' },
    body,
  });
  expect(await answer.json()).toMatchObject({ result: { accepted: EVENTS } });
  await service.stop('SIGINT');
}

/** @returns all that came until the connection was closed */
function talk(start: string, onSocket: (socket: Socket) => void = () => undefined): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(service.port, '127.0.0.1', () => socket.write(start));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    onSocket(socket);
  });
}

const CACHED = `id: 7d1a9fd0-0000-4000-8000-0000000000b1
name: cached
cache_seconds: 900
parameters:
  - { name: project, required: true }
  - { name: n, type: integer, required: true }
query: |
  SELECT t.event_message, @n AS n FROM edge_requests AS t WHERE t.project = @project
`;

const BIG = `${CALL}&sql=${encodeURIComponent('select event_message from edge_logs')}`;

it('a response that the client does not read is canceled, while other callers are served', async () => {
  service = await startService(place, { LQE_ANSWER_TIMEOUT_MS: '4000', LQE_MAX_UNREAD_BYTES_PER_TOKEN: '20000000' });
  const lazy = Array.from({ length: 4 }, () => {
    const socket = connect(service.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(`GET ${BIG} HTTP/1.1\r\n${HEAD}\r\n`);
    return socket;
  });
  const waitFor = async (status: number): Promise<void> => {
    for (;;) {
      const found = (await fetch(service.url + CALL, { headers: KEY })).status;
      expect([200, 429]).toContain(found);
      if (found === status) return;
      await sleep(50);
    }
  };
  await waitFor(200);
  // Four answers of 8 MB are more than one token may leave unread; each is dropped after its time.
  await waitFor(429);
  await waitFor(200);
  for (const socket of lazy) socket.destroy();
}, 60_000);

it('idle connections are closed, and pipelined requests answered in their order', async () => {
  service = await startService(place, { LQE_HEADERS_TIMEOUT_MS: '400' });
  const silent = Array.from({ length: 200 }, () => talk(''));
  const names = Array.from({ length: 20 }, (_, n) => (n % 3 === 0 ? `/health/live?${n}` : `${CALL}&n=${n}`));
  const last = 'GET /nowhere HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n';
  const piped = await talk(
    names.map((name, n) => `GET ${name} HTTP/1.1\r\n${HEAD}X-Request-Id: r${n}\r\n\r\n`).join('') + last
  );
  const ids = [...piped.matchAll(/X-Request-Id: (r\d+)/g)].map(([, id]) => id);
  expect(ids).toEqual(names.map((_, n) => `r${n}`));
  expect(piped).toContain('HTTP/1.1 404');
  await Promise.all(silent);
}, 60_000);

it('a connection that sends thousands of requests at once is closed, while other callers are served', async () => {
  service = await startService(place, { LQE_LOG_LEVEL: 'warn' });
  // The first run of a query after a start takes longer, with a flood and without.
  const call = async (): Promise<number> => (await fetch(service.url + CALL, { headers: KEY })).status;
  expect(await call()).toBe(200);
  const many = 'GET /health/live HTTP/1.1\r\nHost: t\r\n\r\n'.repeat(5000);
  const flood = Array.from({ length: 20 }, () => talk(many));
  for (let n = 0; n < 10; n += 1) {
    const startedAt = performance.now();
    expect(await call()).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(3000);
  }
  await Promise.all(flood);
}, 60_000);

it('a response that needs no token and is not read is canceled', async () => {
  service = await startService(place, { LQE_ANSWER_TIMEOUT_MS: '1000', LQE_MAX_CONNECTIONS: '3' });
  const lazy: Socket[] = [];
  for (let n = 0; n < 3; n += 1) {
    const text = 'GET /api/openapi.json HTTP/1.1\r\nHost: t\r\n\r\n'.repeat(90);
    void talk(text, (socket) => lazy.push(socket.pause()));
  }
  await sleep(500);
  const ask = (): Promise<string> => talk(`GET /health/live HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`);
  expect(await ask()).toBe('');
  while (!(await ask()).includes('HTTP/1.1 200')) await sleep(100);
  for (const socket of lazy) socket.destroy();
}, 60_000);

it('under a low limit of open files, idle connections do not keep new ones out', async () => {
  const node = join(place.folder, 'node-with-few-files');
  writeFileSync(node, `#!/bin/sh\nulimit -n 220\nexec "${process.execPath}" "$@"\n`, { mode: 0o755 });
  service = await startService(place, {}, node);
  const silent = Array.from({ length: 400 }, () => talk(''));
  await sleep(500);
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  const metrics = await (await fetch(`${service.url}/metrics`, { headers: KEY })).text();
  expect(metrics).toContain('logquery_http_max_connections 110\n');
  expect(metrics).toMatch(/logquery_http_connections_closed_total\{reason="idle"\} 29\d\n/);
  expect(service.output()).toContain('The process may open 220 files');
  await service.stop('SIGINT');
  await Promise.all(silent);
}, 60_000);

it('with more connections than may be open, the one that is idle for the longest time is closed', async () => {
  service = await startService(place, { LQE_MAX_CONNECTIONS: '10' });
  const live = 'GET /health/live HTTP/1.1\r\nHost: t\r\n\r\n';
  const sockets: Socket[] = [];
  const texts = Array.from({ length: 10 }, (_, n) => talk(n % 2 === 0 ? live : '', (socket) => sockets.push(socket)));
  await sleep(300);
  sockets[0]!.write(live);
  await sleep(100);
  for (let n = 0; n < 9; n += 1) {
    const answer = await talk(`GET ${CALL} HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`);
    expect(answer).toContain('HTTP/1.1 200');
  }
  expect(sockets.filter(({ closed }) => closed).length).toBeLessThanOrEqual(9);
  expect(sockets[0]!.closed).toBe(false);
  expect(sockets[1]!.closed).toBe(true);
  for (const socket of sockets) socket.destroy();
  expect((await Promise.all(texts))[0]!.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
}, 60_000);

it('distinct cached results that a token leaves unread count, and other tokens are served', async () => {
  writeFileSync(join(place.endpointsDir, 'cached.yaml'), CACHED);
  service = await startService(place, { LQE_MAX_UNREAD_BYTES_PER_TOKEN: '20000000', LQE_CACHE_MAX_BYTES: '10000000' });
  const lazy: Socket[] = [];
  for (let n = 0; n < 4; n += 1) {
    const ask = `GET /api/endpoints/query/cached?project=p&n=${n} HTTP/1.1\r\n${HEAD}\r\n`;
    void talk(ask, (socket) => lazy.push(socket.pause()));
  }
  const status = async (): Promise<number> => (await fetch(service.url + CALL, { headers: KEY })).status;
  while ((await status()) !== 429) await sleep(50);
  for (const socket of lazy) socket.destroy();
  while ((await status()) !== 200) await sleep(50);
}, 60_000);

it('documents of saved queries that a token leaves unread count, too', async () => {
  service = await startService(place, {
    LQE_MAX_UNREAD_BYTES_PER_TOKEN: '1000000',
    LQE_MAX_REQUESTS_PER_MINUTE: '1000000',
    LQE_LOG_LEVEL: 'warn',
  });
  const lazy: Socket[] = [];
  const ask = `GET /api/openapi.json HTTP/1.1\r\n${HEAD}\r\n`;
  for (let n = 0; n < 20; n += 1) void talk(ask.repeat(90), (socket) => lazy.push(socket.pause()));
  const status = async (): Promise<number> => (await fetch(`${service.url}/api/token`, { headers: KEY })).status;
  while ((await status()) !== 429) await sleep(50);
  for (const socket of lazy) socket.destroy();
  while ((await status()) !== 200) await sleep(50);
}, 60_000);

it('an early refusal is sent without waiting for the rest of the request', async () => {
  service = await startService(place);
  const many = Array.from({ length: 3000 }, (_, n) => `X-${n}: ${n}\r\n`).join('');
  const answers = await Promise.all(
    [
      talk(`GET ${CALL} HTTP/1.1\r\n${HEAD}Connection: close\r\n${many}\r\n`),
      talk(`GET /health/live HTTP/1.1\r\nHost: t\r\nX-Long: ${'x'.repeat(200_000)}`),
      talk(`GET /${'x'.repeat(100_000)} HTTP/1.1\r\n`),
      talk(
        `POST /api/logs?source=edge_requests HTTP/1.1\r\n${HEAD}Content-Length: 99999999\r\nConnection: close\r\n\r\n`
      ),
    ].map((answer) => answer.then((text) => /^HTTP\/1\.1 (\d+)/.exec(text)?.[1]))
  );
  expect(answers).toEqual(['431', '431', '414', '413']);
}, 60_000);

it('on SIGTERM running calls are answered, new connections refused, and the exit code is 0', async () => {
  service = await startService(place);
  const slow = `${CALL}&sql=${encodeURIComponent('select count(*) as n from edge_logs a cross join edge_logs b cross join (select id from edge_logs limit 50) c')}`;
  const running = fetch(service.url + slow, { headers: KEY });
  const batch = fetch(`${service.url}/api/logs?source=edge_requests`, {
    method: 'POST',
    headers: { ...KEY, 'Content-Type': 'application/json' },
    body: '{"id":"late","project":"late","event_message":"x"}',
  });
  await sleep(150);
  const stopped = service.stop('SIGTERM');
  const answers = await Promise.all([running, batch]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await answers[0].json()).toEqual({ result: [{ n: EVENTS * EVENTS * 50 }] });
  expect(await stopped).toBe(0);
  await expect(fetch(service.url + CALL, { headers: KEY })).rejects.toThrow();
  service = await startService(place);
  const kept = await fetch(`${service.url}/api/endpoints/query/logs.all?project=late`, { headers: KEY });
  expect(((await kept.json()) as { result: { id: string }[] }).result.map(({ id }) => id)).toEqual(['late']);
}, 60_000);

it('on SIGTERM a caller that never ends is disconnected at the deadline', async () => {
  service = await startService(place, { LQE_DRAIN_TIMEOUT_MS: '300' });
  const trickling = talk(`POST /api/logs?source=edge_requests HTTP/1.1\r\n${HEAD}Content-Length: 100\r\n\r\n{`);
  await sleep(150);
  expect(await service.stop('SIGTERM')).toBe(0);
  await trickling;
}, 60_000);
