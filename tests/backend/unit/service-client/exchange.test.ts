import { EventEmitter, once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect as connectTcp } from 'node:net';
import { Agent } from 'undici';
import { startDeadline } from '#backend/service-client/calls/deadline';
import { exchange as exchangeUntil, type Exchange, type ExchangeRequest } from '#backend/service-client/exchange';

const never = (): AbortSignal => new AbortController().signal;

let server: Server | undefined;
let agent: Agent;

beforeEach(() => {
  agent = new Agent();
});

afterEach(async () => {
  await agent.destroy();
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

async function exchange(dispatcher: Agent, request: ExchangeRequest, caller: AbortSignal): Promise<Exchange> {
  const deadline = startDeadline(caller, 60_000);
  try {
    return await exchangeUntil(dispatcher, request, deadline, 100, () => new Error('too large'));
  } finally {
    deadline.release();
  }
}

async function serve(listener: RequestListener): Promise<ExchangeRequest> {
  server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, path: '/path?a=1', method: 'POST', headers: { 'x-one': '1' }, body: 'body' };
}

test('a request is sent whole, and its response read whole', async () => {
  const request = await serve((req, res) => {
    const chunks: Buffer[] = [];
    req
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        res.writeEarlyHints({ link: '</style.css>; rel=preload' });
        res.writeHead(201, { 'X-Two': ['a', 'b'] });
        res.write(`${req.method} ${req.url} ${String(req.headers['x-one'])} `);
        setImmediate(() => res.end(Buffer.concat(chunks)));
      });
  });
  const { status, headers, bytes } = await exchange(agent, request, never());
  expect({ status, two: headers['x-two'], link: headers['link'], text: bytes.toString() }).toEqual({
    status: 201,
    two: ['a', 'b'],
    link: undefined,
    text: 'POST /path?a=1 1 body',
  });
});

test('a response without a body has no bytes', async () => {
  const request = await serve((_req, res) => res.writeHead(204).end());
  expect((await exchange(agent, request, never())).bytes).toHaveLength(0);
});

test('a response of more bytes than allowed is an error, and the connection is closed', async () => {
  let closed: Promise<unknown> | undefined;
  const request = await serve((_req, res) => {
    closed = once(res, 'close');
    res.write('x'.repeat(101));
  });
  await expect(exchange(agent, request, never())).rejects.toThrow('too large');
  await closed;
});

test.each(['before the response', 'within the response'])(
  'an abort ends a request at once with its reason, %s',
  async (when) => {
    const closed = new EventEmitter();
    const request = await serve((_req, res) => {
      res.on('close', () => closed.emit('close'));
      if (when === 'within the response') res.write('begun');
      setTimeout(() => caller.abort(new Error('canceled')), 20);
    });
    const caller = new AbortController();
    const isClosed = once(closed, 'close');
    await expect(exchange(agent, request, caller.signal)).rejects.toThrow('canceled');
    await isClosed;
  }
);

test('an abort ends a request whose connection is still being made, and the request is never sent', async () => {
  let requests = 0;
  const request = await serve((_req, res) => {
    requests++;
    res.end();
  });
  let connect: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => (connect = resolve));
  const slow = new Agent({
    connect: (options, callback) => {
      void ready.then(() => {
        const socket = connectTcp(Number(options.port), options.hostname, () => callback(null, socket));
      });
    },
  });
  const caller = new AbortController();
  const running = exchange(slow, request, caller.signal);
  caller.abort(new Error('canceled'));
  await expect(running).rejects.toThrow('canceled');
  connect();
  expect((await exchange(slow, request, never())).status).toBe(200);
  expect(requests).toBe(1);
  await slow.destroy();
});

test('a request of a caller who has left is not sent', async () => {
  const request = await serve(() => fail('a request'));
  await expect(exchange(agent, request, AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
});

test('a connection that cannot be made is an error with its code', async () => {
  const request = await serve(() => undefined);
  await new Promise((resolve) => server?.close(resolve));
  await expect(exchange(agent, request, never())).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

function fail(what: string): never {
  throw new Error(`The server received ${what}.`);
}
