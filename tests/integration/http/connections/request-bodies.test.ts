/**
 * Slow senders, and bodies that inflate to far larger ones, beside another token that must be served.
 *
 * @slow 30
 * @waits
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { z } from 'zod';
import buildServer from '../../../support/processes/build-server';
import {
  createPlace,
  type Place,
  PROCESS_TOKEN,
  type ServiceProcess,
  startService,
} from '../../../support/servers/spawned';
import { writeToken } from '../../../support/servers/write-token';

const slowBodies = z
  .array(
    z.strictObject({
      name: z.string(),
      request: z.string(),
      body: z.string().default(''),
      every: z.string().optional(),
      continue: z.boolean().default(false),
      status: z.number(),
      code: z.string().nullable(),
      seconds: z.number(),
    })
  )
  .parse(parse(readFileSync(join(__dirname, '../../../corpus/http/slow-bodies.yaml'), 'utf8')));

let place: Place;
let service: ServiceProcess;
/** Token of a second tenant of the service. */
let neighbor: string;

beforeAll(async () => {
  await buildServer();
  place = createPlace();
  neighbor = writeToken(place.dataDir, { name: 'n', scopes: ['ingest'] });
  service = await startService(place, { LQE_MAX_REQUESTS_PER_MINUTE: '100000' });
}, 180_000);
afterAll(async () => {
  await service.stop('SIGINT');
  place.remove();
});

interface Talk {
  readonly text: string;
  readonly seconds: number;
}

/**
 * Sends at once, and a piece each two seconds if there is one.
 *
 * @returns all that came until the server closed the connection
 */
function talk(start: string | Buffer, every?: string): Promise<Talk> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const socket = connect(service.port, '127.0.0.1', () => socket.write(start));
    const chunks: Buffer[] = [];
    const timer = setInterval(() => every !== undefined && socket.writable && socket.write(every), 2000);
    let seconds = 0;
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      seconds = (performance.now() - startedAt) / 1000;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      resolve({ text: Buffer.concat(chunks).toString(), seconds });
    });
  });
}

function head(request: string): string {
  return `${request.trim().replaceAll('\n', '\r\n')}\r\nHost: t\r\nX-API-KEY: ${PROCESS_TOKEN}\r\n\r\n`;
}

function fill(text: string): string {
  return text.replace(/\{\{(.)\*(\d+)\}\}/g, (_all, char: string, count: string) => char.repeat(Number(count)));
}

it('bodies that do not arrive are refused, and their connection is closed', async () => {
  await Promise.all(
    slowBodies.map(async ({ name, request, body, every, status, code, seconds, ...expected }) => {
      const answer = await talk(head(request) + fill(body), every && fill(every));
      const isContinued = answer.text.startsWith('HTTP/1.1 100 Continue\r\n\r\n');
      const final = isContinued ? answer.text.slice(answer.text.indexOf('\r\n\r\n') + 4) : answer.text;
      const [, found] = /^HTTP\/1\.1 (\d+) /.exec(final) ?? [];
      expect([name, found, isContinued]).toEqual([name, String(status), expected.continue]);
      expect(final).toContain('\r\nConnection: close\r\n');
      if (code !== null) expect(final).toContain(`"code":"${code}"`);
      expect([name, answer.seconds < seconds]).toEqual([name, true]);
    })
  );
}, 60_000);

it('a body that ends before its length, and a chunk that ends early, get a response', async () => {
  const post = 'POST /api/logs?source=edge_requests HTTP/1.1';
  const answers = await Promise.all(
    [`${head(`${post}\nContent-Length: 100`)}{`, `${head(`${post}\nTransfer-Encoding: chunked`)}5\r\n{`].map(
      (text) =>
        new Promise<string>((resolve) => {
          const socket = connect(service.port, '127.0.0.1', () => socket.end(text));
          const chunks: Buffer[] = [];
          socket.on('data', (chunk) => chunks.push(chunk));
          socket.on('error', () => undefined);
          socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
        })
    )
  );
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 400 /);
}, 30_000);

/** @returns the status of each batch */
async function ingestAsNeighbor(until: Promise<unknown>): Promise<readonly number[]> {
  let done = false;
  void until.finally(() => (done = true));
  const statuses: number[] = [];
  while (!done) {
    const { status } = await fetch(`${service.url}/api/logs?source=edge_requests`, {
      method: 'POST',
      headers: { 'X-API-KEY': neighbor, 'Content-Type': 'application/json' },
      body: JSON.stringify({ project: 'n', event_message: `batch ${statuses.length}` }),
    });
    statuses.push(status);
    await sleep(100);
  }
  return statuses;
}

it('batches of one sender are stored while 200 senders of one token send a byte every two seconds', async () => {
  const slow = head('POST /api/logs?source=edge_requests HTTP/1.1\nContent-Length: 100');
  const senders = Promise.all(Array.from({ length: 200 }, () => talk(`${slow}{`, ' ')));
  const neighborStatuses = await ingestAsNeighbor(senders);
  expect(new Set(neighborStatuses)).toEqual(new Set([200]));
  for (const { text } of await senders) expect(text).toContain('"code":"body_too_slow"');
}, 60_000);

const MIB = 1024 * 1024;

function peakMemoryBytes(): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.child.pid}/status`, 'utf8'))![1]) * 1024;
}

it('most of 100 bodies that inflate to 63 MiB each are refused, within the memory, while others are stored', async () => {
  // Blanks: valid as UTF-8, and no event.
  const bomb = gzipSync(Buffer.alloc(63 * MIB, ' '));
  const request = Buffer.concat([
    Buffer.from(
      head(
        `POST /api/logs?source=edge_requests HTTP/1.1\nConnection: close\nContent-Encoding: gzip\nContent-Length: ${bomb.length}`
      )
    ),
    bomb,
  ]);
  const bombs = Promise.all(Array.from({ length: 100 }, () => talk(request)));
  const neighborStatuses = await ingestAsNeighbor(bombs);
  const statuses = (await bombs).map(({ text }) => /^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
  expect(new Set(neighborStatuses)).toEqual(new Set([200]));
  expect(statuses.filter((status) => status === '429').length).toBeGreaterThan(50);
  expect(statuses.filter((status) => status !== '429' && status !== '200' && status !== '400')).toEqual([]);
  expect(peakMemoryBytes()).toBeLessThan(1000 * MIB);
  for (const { text } of await bombs) if (/^HTTP\/1\.1 429/.test(text)) expect(text).toContain('\r\nRetry-After: ');
}, 120_000);

it('a body of very many chunks of one byte is refused, while others are stored', async () => {
  const chunks = '1\r\n \r\n'.repeat(2_000_000);
  const start = head('POST /api/logs?source=edge_requests HTTP/1.1\nTransfer-Encoding: chunked');
  const senders = Promise.all(Array.from({ length: 4 }, () => talk(start + chunks)));
  const neighborStatuses = await ingestAsNeighbor(senders);
  expect(new Set(neighborStatuses)).toEqual(new Set([200]));
}, 60_000);
