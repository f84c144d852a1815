/** One connection to the control socket, with peers that are slow, leave, or send nonsense. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceError } from '#contract/errors';
import { type ControlHandler, serveConnection } from '#server/app/control/serve-connection';
import { controlSocketPath } from '#server/app/control/socket-path';

let folder: string;
let server: Server;
let handle: ControlHandler;
let unexpected: unknown[];
const peers: Socket[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lqe-control-'));
  unexpected = [];
  server = createServer((socket) =>
    serveConnection(socket, {
      handle: (request, signal) => handle(request, signal),
      onUnexpected: (error) => unexpected.push(error),
      idleMs: 100,
    })
  );
  server.listen(join(folder, 's'));
  await once(server, 'listening');
});
afterEach(async () => {
  for (const peer of peers.splice(0)) peer.destroy();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

function open(): Socket {
  const peer = connect(join(folder, 's'));
  peer.on('error', () => undefined);
  peers.push(peer);
  return peer;
}

/** Everything that the peer gets until the server disconnects it. */
async function untilClosed(peer: Socket): Promise<unknown[]> {
  const chunks: Buffer[] = [];
  peer.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise((resolve) => peer.once('close', resolve));
  const lines = Buffer.concat(chunks).toString().split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as unknown);
}

it('requests are answered one after the other, and an idle peer is disconnected', async () => {
  let running = 0;
  handle = async ({ do: kind }) => {
    expect(++running).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    running--;
    return kind;
  };
  const peer = open();
  peer.write('{"do":"list"}\n{"do":"li');
  peer.write('st"}\n');
  expect(await untilClosed(peer)).toEqual([
    { ok: true, value: 'list' },
    { ok: true, value: 'list' },
  ]);
});

it('a peer that waits for a long request is not idle', async () => {
  handle = async () => {
    await new Promise((resolve) => setTimeout(resolve, 250));
    return 'done';
  };
  const peer = open();
  peer.write('{"do":"list"}\n');
  expect(await untilClosed(peer)).toEqual([{ ok: true, value: 'done' }]);
});

it('a request is aborted when its peer disconnects', async () => {
  const aborted = new Promise((resolve) => {
    handle = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(signal.reason as Error);
          resolve(signal.reason);
        });
      });
  });
  const peer = open();
  peer.write('{"do":"list"}\n');
  setTimeout(() => peer.destroy(), 20);
  expect(await aborted).toMatchObject({ code: 'request_timeout' });
});

it('errors of the service are passed on, and others are reported without their text', async () => {
  const errors = [
    new ServiceError('backend_unavailable', 'The day was dropped.', { reason: 'day_dropped' }),
    new Error('secret'),
  ];
  handle = () => Promise.reject(errors.shift()!);
  const peer = open();
  peer.write('{"do":"list"}\n{"do":"list"}\n');
  expect(await untilClosed(peer)).toEqual([
    {
      ok: false,
      error: { code: 'backend_unavailable', message: 'The day was dropped.', details: { reason: 'day_dropped' } },
    },
    { ok: false, error: { code: 'internal', message: 'Internal error.', details: {} } },
  ]);
  expect(unexpected).toEqual([new Error('secret')]);
});

it('what is no request of the list is refused, and never reaches the handler', async () => {
  handle = () => Promise.reject(new Error('reached'));
  for (const line of [
    'null',
    '{"do":"drop"}',
    '{"do":"list","x":1}',
    '{"do":"export","rows":{"source":"a/b","day":1,"from":0,"to":1}}',
    '{"do":"export","rows":{"source":"a","day":1,"from":1,"to":1}}',
    '{"do":"export","rows":{"source":"a","day":1,"from":0,"to":500001}}',
    '{"do":"export","rows":{"source":"a","day":1.5,"from":0,"to":1}}',
  ]) {
    const peer = open();
    peer.write(`${line}\n`);
    expect(await untilClosed(peer)).toEqual([
      { ok: false, error: expect.objectContaining({ code: 'request_invalid' }) as unknown },
    ]);
  }
  expect(unexpected).toEqual([]);
});

it('a long line, and many requests at once, end the connection', async () => {
  handle = () => Promise.reject(new Error('reached'));
  const long = open();
  long.write('a'.repeat(5000));
  expect(await untilClosed(long)).toEqual([]);
  const many = open();
  many.write('{"do":"list"}\n'.repeat(20));
  expect(await untilClosed(many)).toEqual([]);
});

it('the path of the socket is short enough for every system', () => {
  expect(controlSocketPath('/data')).toBe('/data/control.sock');
  const long = controlSocketPath(`/${'folder/'.repeat(30)}`);
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(100);
  expect(long).not.toBe(controlSocketPath(`/${'folder/'.repeat(31)}`));
});
