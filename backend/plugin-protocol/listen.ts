/** Opens the socket for Grafana's calls and returns the handshake line with its address. */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { type Server, ServerCredentials } from '@grpc/grpc-js';
import type { LaunchOptions } from './launch';

export interface Listening {
  /** The only line for stdout, without newline: core protocol 1, plugin protocol 2. */
  readonly handshake: string;
  /** Removes the socket file. */
  readonly release: () => void;
}

/** Maximum path length of a Unix socket on macOS; Linux allows four bytes more. */
const MAX_SOCKET_PATH_BYTES = 103;

export async function listen(server: Server, { listen: where }: LaunchOptions): Promise<Listening> {
  if (where.network === 'unix') return listenOnSocket(server, where.folder);
  for (let port = where.minPort; port <= where.maxPort; port++) {
    if (await bind(server, `127.0.0.1:${port}`).then(() => true, isTaken))
      return { handshake: `1|2|tcp|127.0.0.1:${port}|grpc|`, release: () => undefined };
  }
  throw new Error(`No free port from ${where.minPort} to ${where.maxPort}.`);
}

async function listenOnSocket(server: Server, folder: string): Promise<Listening> {
  const name = `plugin${randomBytes(6).toString('hex')}`;
  const wanted = path.join(folder, name);
  const socket = Buffer.byteLength(wanted) <= MAX_SOCKET_PATH_BYTES ? wanted : path.join('/tmp', name);
  await bind(server, `unix:${socket}`);
  return { handshake: `1|2|unix|${socket}|grpc|`, release: () => rmSync(socket, { force: true }) };
}

function bind(server: Server, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port)
    );
  });
}

function isTaken(error: unknown): false {
  if (error instanceof Error && /EADDRINUSE|No address added/.test(error.message)) return false;
  throw error;
}
