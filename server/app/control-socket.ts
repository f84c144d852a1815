/**
 * Control socket of a server with the embedded store: lets commands of the same user read the store, whose file only
 * the server may open. Access is that of the file system, mode 0600.
 */
import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { type ControlRequest, type DefinitionFiles, PEER_IDLE_MS, STAGING_FOLDER } from '#contract/control';
import { serveConnection } from './control/serve-connection';
import { controlSocketPath, ensureSocketFolder } from './control/socket-path';
import type { AppContext } from './context';
import { toError } from '../common/caught-error';

const MAX_CONNECTIONS = 4;
/** The list reads two columns of every event. */
const LIST_TIMEOUT_MS = 600_000;
const EXPORT_TIMEOUT_MS = 300_000;
/** A day of a hundred million events. */
const SEAL_TIMEOUT_MS = 3 * 3_600_000;

export interface ControlSocket {
  /** Disconnects all peers and removes the socket. */
  close(): void;
}

type ControlContext = Pick<AppContext, 'config' | 'engine' | 'sources' | 'logger'>;

/**
 * Opens the socket. Must be called while the store is open, so that a socket in the folder is one of an ended server.
 * @returns null for a shared store, and when the socket cannot be created: the log then says why
 */
export async function openControlSocket(ctx: ControlContext): Promise<ControlSocket | null> {
  const { config, logger } = ctx;
  if (config.store !== 'duckdb') return null;
  const path = controlSocketPath(config.files.dataDir);
  try {
    ensureSocketFolder(config.files.dataDir);
    removeStale(path);
    return await listen(ctx, path);
  } catch (error) {
    logger.warn(
      { err: error, path },
      'the control socket cannot be created: "lqe backup" works on the stopped server only'
    );
    return null;
  }
}

async function listen(ctx: ControlContext, path: string): Promise<ControlSocket> {
  const requests = new ControlRequests(ctx);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) void requests.removeLeftovers();
    });
    serveConnection(socket, {
      handle: (request, signal) => requests.handle(request, signal),
      onUnexpected: (error) =>
        ctx.logger.error({ err: error }, 'unexpected failure of a request to the control socket'),
      idleMs: PEER_IDLE_MS,
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  await bind(server, path);
  server.on('error', (error) => ctx.logger.warn({ err: error }, 'the control socket has failed'));
  return {
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The socket never has wider rights: it is created under a mask, and the data folder may be open to others. */
function bind(server: Server, path: string): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', fail);
    const former = process.umask(0o177);
    try {
      server.listen(path, () => {
        server.off('error', fail);
        done();
      });
      chmodSync(path, 0o600);
    } finally {
      process.umask(former);
    }
  });
}

/** @throws Error when the path is anything else than a socket */
function removeStale(path: string): void {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return;
  if (!facts.isSocket()) throw new Error(`${path} exists and is not a socket`);
  rmSync(path);
}

class ControlRequests {
  /** Ends of the requests in the engine: one at a time, so that backups take one processor at most. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly ctx: ControlContext) {}

  handle(request: ControlRequest, signal: AbortSignal): Promise<unknown> {
    const { engine } = this.ctx;
    const done = this.last.then(() => {
      if (signal.aborted) throw toError(signal.reason);
      if (request.do === 'list') return this.list(signal);
      if (request.do === 'seal') return engine.call('seal', {}, { signal, timeoutMs: SEAL_TIMEOUT_MS });
      return engine.call('exportRows', request.rows, { signal, timeoutMs: EXPORT_TIMEOUT_MS });
    });
    this.last = done.catch(() => undefined);
    return done;
  }

  private async list(signal: AbortSignal): Promise<unknown> {
    const { engine, sources } = this.ctx;
    const stored = await engine.call('listStored', {}, { signal, timeoutMs: LIST_TIMEOUT_MS });
    return { sources: sources.all, stored, files: this.definitionFiles() };
  }

  private definitionFiles(): DefinitionFiles | null {
    const { catalog, files } = this.ctx.config;
    if (catalog !== null) return null;
    return { endpoints_dir: resolve(files.endpointsDir), sources_file: resolve(files.sourcesFile) };
  }

  /** Removes exported files that no peer has taken. Must be called when no peer is connected. */
  async removeLeftovers(): Promise<void> {
    const folder = join(resolve(this.ctx.config.files.dataDir), STAGING_FOLDER);
    for (const name of await readdir(folder).catch(() => [])) {
      await rm(join(folder, name), { force: true }).catch(() => undefined);
    }
  }
}
