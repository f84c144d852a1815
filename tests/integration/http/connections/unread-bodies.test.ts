/**
 * Bodies that the service does not read: of a GET, and of requests that are refused. The response must reach the
 * client, and the next request too.
 *
 * @slow 20
 * @waits
 */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import buildServer from '../../../support/processes/build-server';
import {
  createPlace,
  type Place,
  PROCESS_TOKEN,
  type ServiceProcess,
  startService,
} from '../../../support/servers/spawned';

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

const CALL = '/api/endpoints/query/logs.all?project=p';
const LAST = 'GET /health/live HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n';

function head(request: string, ...headers: readonly string[]): string {
  return [request, 'Host: t', `X-API-KEY: ${PROCESS_TOKEN}`, ...headers, '', ''].join('\r\n');
}

function chunked(bytes: number, size = 16_384): string {
  const chunk = Math.min(bytes, size);
  return `${`${chunk.toString(16)}\r\n${'x'.repeat(chunk)}\r\n`.repeat(Math.ceil(bytes / chunk))}0\r\n\r\n`;
}

/**
 * Reads nothing before all pieces are sent, as simple clients do.
 *
 * @returns the statuses, or the error of the connection
 */
function sendAll(...pieces: readonly string[]): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const received: Buffer[] = [];
    let failure: string | undefined;
    const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', (error: NodeJS.ErrnoException) => (failure = error.code));
    socket.on('close', () => {
      const statuses = [
        ...Buffer.concat(received)
          .toString()
          .matchAll(/HTTP\/1\.1 (\d+)/g),
      ].map(([, status]) => status!);
      resolve(failure === undefined ? statuses : [...statuses, failure]);
    });
    socket.once('connect', () => {
      void (async () => {
        for (const piece of pieces) {
          await new Promise<void>((sent) => void socket.write(piece, () => sent()));
          await sleep(200);
        }
        socket.on('data', (chunk) => received.push(chunk)).on('end', () => socket.end());
      })();
    });
  });
}

describe.each([
  ['a query', `GET ${CALL} HTTP/1.1`, '200'],
  ['a query with the method HEAD', `HEAD ${CALL} HTTP/1.1`, '200'],
  ['a route without a token', 'GET /health/live HTTP/1.1', '200'],
])('a body of %s', (_name, request, status) => {
  it.each([
    ['in chunks', head(request, 'Transfer-Encoding: chunked'), chunked(5)],
    ['with a length', head(request, 'Content-Length: 5'), 'hello'],
    ['of 300 kB', head(request, 'Transfer-Encoding: chunked'), chunked(300_000)],
  ])('%s is ignored, and the next request on the connection is served', async (_form, start, body) => {
    expect(await sendAll(start + body + LAST)).toEqual([status, '200']);
    expect(await sendAll(start, body, LAST)).toEqual([status, '200']);
  });
});

it.each([
  ['a query that ends the connection', `GET ${CALL} HTTP/1.1`, '200'],
  ['an unknown route', 'GET /nowhere HTTP/1.1', '404'],
  ['a method that is not allowed', `DELETE ${CALL} HTTP/1.1`, '405'],
  ['a query without its parameter', 'GET /api/endpoints/query/logs.all HTTP/1.1', '400'],
  ['an unknown source', 'POST /api/logs?source=nowhere HTTP/1.1', '404'],
])('the response to %s reaches a client that sends 3 MB first', async (_name, request, status) => {
  const start = head(request, 'Connection: close', 'Transfer-Encoding: chunked');
  expect(await sendAll(start, chunked(3_000_000))).toEqual([status]);
  expect(await sendAll(start + chunked(3_000_000))).toEqual([status]);
});

it('a body that is too large is refused, and the response reaches a client that sends all of it first', async () => {
  const post = 'POST /api/logs?source=edge_requests HTTP/1.1';
  expect(await sendAll(head(post, 'Content-Length: 12000000'), 'x'.repeat(12_000_000))).toEqual(['413']);
  expect(await sendAll(head(post, 'Transfer-Encoding: chunked'), chunked(12_000_000))).toEqual(['413']);
}, 30_000);

it.each([
  ['a GET', head(`GET ${CALL} HTTP/1.1`, 'Transfer-Encoding: chunked'), '200'],
  ['a refused request', head('GET /nowhere HTTP/1.1', 'Transfer-Encoding: chunked'), '404'],
])(
  'an endless body of %s is cut off',
  async (_name, start, status) => {
    const startedAt = performance.now();
    const text = await new Promise<string>((resolve) => {
      const received: Buffer[] = [];
      const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.write(start));
      const timer = setInterval(() => socket.writable && socket.write('5\r\nhello\r\n'), 100);
      socket.on('data', (chunk) => received.push(chunk));
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearInterval(timer);
        resolve(Buffer.concat(received).toString());
      });
    });
    expect(text).toContain(`HTTP/1.1 ${status} `);
    expect(performance.now() - startedAt).toBeLessThan(8000);
  },
  20_000
);
