/**
 * Memory and permits of ingestion requests: when their bodies are counted and released.
 *
 * @slow 10
 */
import { gzipSync } from 'node:zlib';
import { exchange, send } from '../../../support/fakes/connection';
import { failure } from '../../../support/fakes/engine';
import { createTestService, type TestService } from '../../../support/servers/in-memory';

let service: TestService;
let ingestToken: string;
let otherToken: string;
afterEach(() => service.close());

function start(settings: Readonly<Record<string, string>> = {}): void {
  service = createTestService({ settings });
  ingestToken = service.createToken({ scopes: ['ingest'] });
  otherToken = service.createToken({ scopes: ['ingest'] });
}

const ingest = (token: string, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
  send(service.server, '/api/logs?source=edge_requests', {
    method: 'POST',
    headers: { 'X-API-KEY': token, ...headers },
    body,
  });

/** Batches are stored when `finish` is called. */
function holdBatches(): { finish(): void } {
  let finish = (): void => undefined;
  const pending = new Promise<void>((resolve) => (finish = resolve));
  service.engine.answers.ingest = async () => {
    await pending;
    return { accepted: 1, duplicates: 0, rejected: 0, errors: [] };
  };
  return { finish };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

it('one token gets half of the permits, and another token gets one at once', async () => {
  start({ LQE_MAX_INGESTS: '4' });
  const { finish } = holdBatches();
  const own = Array.from({ length: 6 }, () => ingest(ingestToken, '{}'));
  await until(() => service.ctx.ingestPermits.waiting === 4);
  expect(service.ctx.ingestPermits.running).toBe(2);
  const neighbor = ingest(otherToken, '{}');
  await until(() => service.ctx.ingestPermits.running === 3);
  finish();
  const answers = await Promise.all([...own, neighbor]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200]);
  expect([service.ctx.ingestPermits.running, service.ctx.bodyBudget.bytes]).toEqual([0, 0]);
});

it('batches of one token are stored where there is a single permit', async () => {
  start({ LQE_MAX_INGESTS: '1' });
  expect((await ingest(ingestToken, '{}')).status).toBe(200);
});

it('a body that has not arrived takes no permit', async () => {
  start({ LQE_MIN_BODY_BYTES_PER_SECOND: '0' });
  const head = `POST /api/logs?source=edge_requests HTTP/1.1\r\nHost: t\r\nConnection: close\r\nX-API-KEY: ${ingestToken}\r\n`;
  for (let n = 0; n < 10; n += 1) void exchange(service.server, Buffer.from(`${head}Content-Length: 9\r\n\r\n{`));
  await until(() => service.ctx.bodyBudget.bytes > 10 * 65_536);
  expect([service.ctx.ingestPermits.running, service.ctx.ingestPermits.waiting]).toEqual([0, 0]);
  expect((await ingest(ingestToken, '{}')).status).toBe(200);
});

const MIB = 1024 * 1024;
const SMALL_BUFFER = {
  LQE_MAX_INGEST_BODY_BYTES: String(MIB),
  LQE_MAX_INGEST_INFLATED_BYTES: String(4 * MIB),
  LQE_MAX_INGEST_BUFFER_BYTES_PER_TOKEN: String(6 * MIB),
  LQE_MAX_INGEST_BUFFER_BYTES: String(8 * MIB),
};
const GZIP = { 'Content-Encoding': 'gzip' };

it.each([
  ['of the token itself', 429, 'concurrency_limited'],
  ['of all tokens together', 503, 'overloaded'],
])('a body that inflates beyond the memory is refused %s', async (whose, status, code) => {
  start(SMALL_BUFFER);
  const { finish } = holdBatches();
  const large = gzipSync(padded(4 * MIB));
  const first = ingest(ingestToken, large, GZIP);
  await until(() => service.ctx.ingestPermits.running === 1);
  const refused = await ingest(whose === 'of the token itself' ? ingestToken : otherToken, large, GZIP);
  expect([refused.status, refused.json().error.code]).toEqual([status, code]);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  finish();
  expect((await first).status).toBe(200);
  expect(service.ctx.bodyBudget.bytes).toBe(0);
  expect((await ingest(otherToken, large, GZIP)).status).toBe(200);
});

it('a body of the largest size is accepted with any memory budget', async () => {
  start({ ...SMALL_BUFFER, LQE_MAX_INGEST_BUFFER_BYTES: '1024', LQE_MAX_INGEST_BUFFER_BYTES_PER_TOKEN: '1024' });
  expect((await ingest(ingestToken, gzipSync(padded(4 * MIB)), GZIP)).status).toBe(200);
  expect((await ingest(ingestToken, padded(MIB))).status).toBe(200);
});

it('no memory stays reserved after a failure, a refusal, or a closed connection of the sender', async () => {
  start(SMALL_BUFFER);
  const refused = [
    await ingest(ingestToken, gzipSync(Buffer.alloc(5 * MIB)), GZIP),
    await ingest(ingestToken, Buffer.alloc(2 * MIB)),
    await ingest(ingestToken, 'no gzip', GZIP),
    await ingest(ingestToken, gzipSync('{}'.repeat(1000)).subarray(0, 20), GZIP),
    await ingest(ingestToken, '{}', { 'Content-Encoding': 'br' }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([413, 413, 400, 400, 415]);
  service.engine.answers.ingest = failure('backend_unavailable');
  expect((await ingest(ingestToken, '{}')).status).toBe(503);
  expect(service.ctx.bodyBudget.bytes).toBe(0);
});

it.each([
  ['', '{}', 200],
  [' , ', '{}', 200],
  ['identity, IDENTITY', '{}', 200],
  ['identity, gzip,', gzipSync('{}'), 200],
  ['gzip, gzip', gzipSync(gzipSync('{}')), 415],
])('a body with the Content-Encoding "%s" is answered by its codings', async (header, body, status) => {
  start();
  expect((await ingest(ingestToken, body, { 'Content-Encoding': header })).status).toBe(status);
});

/** One event with white space behind it. */
function padded(bytes: number): Buffer {
  return Buffer.from('{}'.padEnd(bytes, ' '));
}

it('a body of very many tiny chunks is refused', async () => {
  start();
  const head = `POST /api/logs?source=edge_requests HTTP/1.1\r\nHost: t\r\nConnection: close\r\nX-API-KEY: ${ingestToken}\r\n`;
  const event = '2\r\n{}\r\n';
  const sendChunks = async (chunk: string, count: number): Promise<string> =>
    (
      await exchange(
        service.server,
        Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n${event}${chunk.repeat(count)}0\r\n\r\n`)
      )
    ).toString();
  expect(await sendChunks('1\r\n \r\n', 4000)).toMatch(/^HTTP\/1\.1 200 /);
  expect(await sendChunks('1\r\n \r\n', 5000)).toContain('too many tiny chunks');
  expect(await sendChunks(`20\r\n${' '.repeat(32)}\r\n`, 20_000)).toMatch(/^HTTP\/1\.1 200 /);
});
