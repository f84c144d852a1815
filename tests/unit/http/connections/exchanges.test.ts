/** Requests that one connection sends at once, over a real socket. */
import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { envToConfig, readEnv } from '#server/config';
import { createHttpServer, type HttpServer } from '#server/http/server';

let server: HttpServer | null = null;
let sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  const closed = server && once(server, 'close');
  server?.close();
  await closed;
  server = null;
});

async function listen(app: RequestListener, env: Readonly<Record<string, string>> = {}): Promise<HttpServer> {
  server = createHttpServer(app, envToConfig(readEnv(env)).http);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

interface Talk {
  readonly socket: Socket;
  text(): string;
  /** Resolves when the server has ended the connection. */
  readonly ended: Promise<void>;
}

function talk(to: HttpServer, data: string, isRead = true): Talk {
  const socket = connect({ port: (to.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket);
  let text = '';
  const ended = new Promise<void>((resolve) => {
    socket.on('end', resolve).on('close', resolve);
  });
  socket.on('error', () => undefined);
  if (isRead) socket.on('data', (bytes: Buffer) => (text += bytes.toString('latin1')));
  socket.write(data);
  return { socket, ended, text: () => text };
}

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: t\r\n${more}\r\n`;
const statuses = (text: string): string[] => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status!);
const CLOSE = 'Connection: close\r\n';

it('requests of a connection are handled one after another, in their order', async () => {
  const events: string[] = [];
  const to = await listen((req, res) => {
    events.push(`begin ${req.url}`);
    setTimeout(() => res.end(`${req.url}\n`), 5);
    res.once('close', () => events.push(`end ${req.url}`));
  });
  const paths = Array.from({ length: 50 }, (_, n) => `/${n}`);
  const { ended, text } = talk(to, paths.map((path) => get(path, path === '/49' ? CLOSE : '')).join(''));
  await ended;
  expect(events).toEqual(paths.flatMap((path) => [`begin ${path}`, `end ${path}`]));
  expect(text().match(/\/\d+$/gm)).toEqual(paths);
});

it('requests with a body arrive in parts while an earlier one is handled', async () => {
  const to = await listen((req, res) => {
    let body = '';
    req.on('data', (bytes: Buffer) => (body += bytes.toString()));
    req.on('end', () => setTimeout(() => res.end(`[${body}]`), 20));
  });
  const post = (length: number, more = ''): string =>
    `POST / HTTP/1.1\r\nHost: t\r\nContent-Length: ${length}\r\n${more}\r\n`;
  const { socket, ended, text } = talk(to, `${post(2)}ab${post(200_000, CLOSE)}c`);
  await sleep(60);
  socket.write('c'.repeat(199_999));
  await ended;
  expect(text()).toContain('[ab]');
  expect(text()).toContain(`[${'c'.repeat(200_000)}]`);
});

it.each([1, 2, 15])('a disconnected client is noticed while %d of its requests wait', async (waiting) => {
  const begun: ServerResponse[] = [];
  const to = await listen((_req, res) => void begun.push(res));
  const { socket } = talk(to, get('/'));
  await once(to, 'request');
  const closed = once(begun[0]!, 'close');
  socket.write(get('/').repeat(waiting));
  await sleep(20);
  socket.destroy();
  await closed;
  expect(begun).toHaveLength(1);
});

it.each([17, 60, 99])(
  'a disconnected client is noticed a little later while %d of its requests wait',
  async (waiting) => {
    const begun: ServerResponse[] = [];
    const to = await listen((_req, res) => void begun.push(res), { LQE_ANSWER_TIMEOUT_MS: '200' });
    const { socket } = talk(to, get('/'));
    await once(to, 'request');
    const closed = once(begun[0]!, 'close');
    for (let n = 0; n < waiting; n += 1) {
      socket.write(get('/'));
      await sleep(1);
    }
    await sleep(20);
    socket.destroy();
    await closed;
    expect(begun).toHaveLength(1);
  }
);

it('requests are not read further while those that wait have many bytes', async () => {
  const begun: ServerResponse[] = [];
  const to = await listen((_req, res) => void begun.push(res), { LQE_ANSWER_TIMEOUT_MS: '200' });
  const sender = talk(to, get('/'));
  await once(to, 'request');
  sender.socket.write(get('/', `X: ${'x'.repeat(40_000)}\r\n`).repeat(80));
  await sleep(1500);
  const serverSide = begun[0]!.socket!;
  expect(serverSide.bytesRead).toBeLessThan(300_000);
  serverSide.destroy();
});

it('requests are read only so far ahead that those that wait take little memory', async () => {
  const begun: ServerResponse[] = [];
  const to = await listen((_req, res) => void begun.push(res));
  const sender = talk(to, get('/'));
  await once(to, 'request');
  const serverSide = begun[0]!.socket!;
  sender.socket.write(get('/', `X: ${'x'.repeat(8000)}\r\n`).repeat(80));
  await sleep(200);
  expect(serverSide.bytesRead).toBeLessThan(300_000);
  while (begun.length < 81) {
    begun.at(-1)!.end('done');
    await sleep(1);
  }
});

it('a connection is closed when more than a hundred requests wait', async () => {
  let handled = 0;
  const to = await listen(() => (handled += 1));
  await talk(to, get('/').repeat(102)).ended;
  expect(handled).toBe(1);
});

it('requests behind those for which a connection is closed are not built', async () => {
  let built = 0;
  const to = await listen((_req, res) => res.end());
  to.on('request', () => (built += 1));
  await talk(to, get('/').repeat(2500)).ended;
  expect(built).toBe(102);
  const next = talk(to, get('/', CLOSE));
  await next.ended;
  expect(statuses(next.text())).toEqual(['200']);
});

it('requests of a connection do not delay those of others', async () => {
  let handled = 0;
  const to = await listen((req, res) => {
    if (req.url === '/many') {
      for (const until = performance.now() + 5; performance.now() < until;);
      handled++;
    }
    res.end();
  });
  const others = Array.from({ length: 20 }, () => talk(to, get('/many').repeat(80)));
  await sleep(50);
  const before = handled;
  await talk(to, get('/', CLOSE)).ended;
  const during = handled - before;
  for (const { socket } of others) socket.destroy();
  // Of 1,600: a few rounds of the twenty connections, while the connection opens, is read, and ends.
  expect(during).toBeLessThan(400);
});

describe('requests before bytes that are no request', () => {
  const app: RequestListener = (_req, res) => setTimeout(() => res.end('good'), 20);

  it('are answered, and the error follows', async () => {
    const { ended, text } = talk(await listen(app), `${get('/1')}${get('/2')}nonsense\r\n\r\n`);
    await ended;
    expect(statuses(text())).toEqual(['200', '200', '400']);
  });

  it('are answered, and the error is the response to one that is incomplete', async () => {
    const head = 'POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n';
    const { ended, text } = talk(await listen(app), `${get('/1')}${head}nonsense`);
    await ended;
    expect(statuses(text())).toEqual(['200', '400']);
  });

  it('are answered, and so is CONNECT', async () => {
    const { ended, text } = talk(await listen(app), `${get('/1')}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`);
    await ended;
    expect(statuses(text())).toEqual(['200', '405']);
  });
});

describe('a connection is closed when its client', () => {
  const connections = (of: Server): Promise<number> =>
    new Promise((resolve) => of.getConnections((_error, count) => resolve(count)));
  const waitForNone = async (of: Server): Promise<void> => {
    while ((await connections(of)) > 0) await sleep(20);
  };

  it('does not read a response in time', async () => {
    const to = await listen((_req, res) => res.end(Buffer.alloc(32_000_000)), { LQE_ANSWER_TIMEOUT_MS: '200' });
    talk(to, get('/'), false);
    await once(to, 'request');
    await waitForNone(to);
  });

  it('keeps its side open after an error', async () => {
    const to = await listen((_req, res) => res.end());
    await talk(to, 'nonsense\r\n\r\n').ended;
    await waitForNone(to);
  });
});

describe('a server that closes', () => {
  it.each([
    ['has sent nothing', ''],
    ['has not sent its request to the end', 'GET / HTTP/1.1\r\nHo'],
    ['has had its answer', get('/done')],
  ])('closes a connection that %s, and answers a request in progress', async (_name, sent) => {
    const begun: ServerResponse[] = [];
    const to = await listen((req, res) => (req.url === '/done' ? res.end('done\n') : begun.push(res)));
    const silent = talk(to, sent);
    const busy = talk(to, get('/', CLOSE));
    while (begun.length === 0 || (sent.includes('/done') && silent.text() === '')) await sleep(1);
    to.close();
    to.closeSilent();
    await silent.ended;
    begun[0]!.end('answered\n');
    await busy.ended;
    expect(busy.text()).toContain('answered');
  });

  it('leaves a connection whose last response may still be read', async () => {
    const to = await listen((_req, res) => void res.end('done\n'));
    const refused = talk(to, 'BOGUS\r\n\r\n');
    const sending = talk(to, 'POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\nab');
    while (refused.text() === '' || sending.text() === '') await sleep(1);
    to.close();
    to.closeSilent();
    sending.socket.write(`cde${get('/next', CLOSE)}`);
    await sending.ended;
    expect(statuses(refused.text())).toEqual(['400']);
    expect(statuses(sending.text())).toEqual(['200', '200']);
  });
});
