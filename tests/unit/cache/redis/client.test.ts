/** The connection to a Redis that takes connections and does not serve them. */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { openRedisClient, type RedisClient } from '#server/cache/redis/client';
import { systemClock } from '#server/common/clock';

const INFO = 'redis_version:7.0.0\n';
const replies: Readonly<Record<string, string>> = {
  info: `$${INFO.length}\r\n${INFO}\r\n`,
  eval: "-READONLY You can't write against a read only replica.\r\n",
};

let server: Server;
let client: RedisClient;
let sockets: Socket[];
/** Number of the connections, the first ones, that get no reply. */
let silent: number;

beforeEach(async () => {
  sockets = [];
  silent = 0;
  server = createServer((socket) => {
    sockets.push(socket);
    const isSilent = sockets.length <= silent;
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      if (isSilent) return;
      // Each command is an array of texts, of which the first is its name.
      for (const [, name] of chunk.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g))
        socket.write(replies[name!.toLowerCase()] ?? '+OK\r\n');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  client.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

async function open(): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const logger = { info: () => undefined, warn: () => undefined };
  const url = `redis://127.0.0.1:${port}`;
  client = await openRedisClient({ url, timeoutMs: 1000, silenceMs: 50, clock: systemClock, logger });
}

async function untilUp(): Promise<void> {
  while (!client.isUp) await new Promise((resolve) => setTimeout(resolve, 10));
}

it('the connection is made again when the first replies do not come', async () => {
  silent = 1;
  await open();
  await untilUp();
  expect(sockets).toHaveLength(2);
});

it('the connection is made again when Redis has become a copy that takes no changes', async () => {
  await open();
  await untilUp();
  const connected = once(server, 'connection');
  expect(await client.send(['EVAL', 'return 1', 0])).toEqual({ kind: 'failed' });
  await connected;
  await untilUp();
});
