/** Chunked bodies of one and of many connections, over real sockets. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { envToConfig, readEnv } from '#server/config';
import { createHttpServer, type HttpServer } from '#server/http/server';

let server: HttpServer | null = null;
let sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  const closed = server && once(server, 'close');
  server?.close();
  // What the system has received for a connection would be read to its end.
  server?.closeAllConnections();
  await closed;
  server = null;
});

async function listen(app: RequestListener): Promise<void> {
  server = createHttpServer(app, envToConfig(readEnv({})).http);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

function open(): Socket {
  const socket = connect((server!.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

const HEAD = 'HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n';
const chunkOf = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const TINY = '1\r\n \r\n';
/** As many as a packet has. */
const TINY_PACKET = TINY.repeat(10_900);

/** `/digest` answers with the digest of the body, `/early` before it has come, and `/late` without reading it. */
const answerByPath: RequestListener = (req, res) => {
  if (req.url === '/early') {
    res.end('early');
  } else if (req.url === '/late') {
    setTimeout(() => res.end('late'), 20);
  } else {
    const hash = createHash('sha256');
    req.on('data', (bytes: Buffer) => hash.update(bytes)).on('end', () => res.end(hash.digest('hex')));
  }
};

const bodies = fc
  .record({
    count: fc.constantFrom(1, 3, 255, 256, 257, 700, 3000),
    size: fc.constantFrom(1, 2, 100, 4095, 4096, 20_000),
  })
  .map(({ count, size }) => ({ size, count: Math.min(count, Math.ceil(100_000 / size)) }))
  .chain(({ count, size }) =>
    fc.tuple(
      fc.integer({ min: 0, max: 9 }),
      fc.constant(Array.from({ length: count }, (_, n) => `${n}`.repeat(size).slice(0, size)))
    )
  )
  .map(([large, chunks]) => (large === 0 ? [...chunks, 'L'.repeat(70_000), ...chunks.slice(0, 300)] : chunks));

it('bodies of chunks of any sizes arrive whole, also of requests that come together and behind refused ones', async () => {
  await listen(answerByPath);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('/digest', '/digest', '/early', '/late'), bodies), {
        minLength: 1,
        maxLength: 5,
      }),
      fc.integer({ min: 1000, max: 200_000 }),
      async (requests, pieceLength) => {
        const socket = open();
        let text = '';
        socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
        const sent = requests
          .map(([path, chunks]) => `POST ${path} ${HEAD}${chunks.map(chunkOf).join('')}0\r\n\r\n`)
          .join('');
        for (let at = 0; at < sent.length; at += pieceLength) {
          if (!socket.write(sent.slice(at, at + pieceLength))) await once(socket, 'drain');
        }
        const expected = requests.map(([path, chunks]) =>
          path === '/digest' ? digest(chunks.join('')) : path.slice(1)
        );
        const answers = (): string[] =>
          [...text.matchAll(/\r\n\r\n(early|late|[0-9a-f]{64})/g)].map(([, body]) => body!);
        while (answers().length < expected.length && !socket.destroyed) await sleep(2);
        socket.destroy();
        expect(answers()).toEqual(expected);
      }
    ),
    { numRuns: 15 }
  );
}, 120_000);

it('bodies of tiny chunks do not delay the requests of others', async () => {
  let received = 0;
  await listen((req, res) => {
    if (req.method === 'GET') res.end('here');
    else req.on('data', (bytes: Buffer) => (received += bytes.length)).on('end', () => res.end());
  });
  const flood = Array.from({ length: 20 }, () => open());
  for (const socket of flood) {
    socket.write(`POST / ${HEAD}`);
    const send = (): void => {
      while (!socket.destroyed && socket.write(TINY_PACKET));
    };
    socket.on('drain', send);
    send();
  }
  while (received < 200_000) await sleep(5);
  const before = received;
  const other = open();
  other.write('GET / HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n');
  await once(other, 'data');
  // Twenty connections send 32 packets each, 7 MB, before others are read, when nothing shares the turns.
  expect(received - before).toBeLessThan(20 * 10_900);
});

it('tiny chunks after the response are not even reported', async () => {
  let reported = 0;
  let request: IncomingMessage | null = null;
  await listen((req, res) => {
    request = req;
    const { parser } = req.socket as unknown as { parser: Record<number, (bytes: Buffer) => void> };
    const { kOnBody } = parser.constructor as unknown as { kOnBody: number };
    const report = parser[kOnBody]!;
    parser[kOnBody] = function (bytes) {
      reported += 1;
      report.call(this, bytes);
    };
    req.socket.once('close', () => (parser[kOnBody] = report));
    res.end('refused');
  });
  const socket = open();
  socket.write(`POST / ${HEAD}`);
  await once(socket, 'data');
  for (let n = 0; n < 10; n += 1) socket.write(TINY_PACKET);
  socket.write('0\r\n\r\n');
  while (!request!.complete) await sleep(5);
  expect(reported).toBeLessThan(10_000);
  expect(reported).toBeGreaterThan(255);
});
