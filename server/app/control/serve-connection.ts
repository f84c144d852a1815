/**
 * One connection to the control socket: a request at a time, each answered before the next one is read. A peer that
 * sends anything else than a request, or nothing for a while, is disconnected.
 */
import type { Socket } from 'node:net';
import { type ControlReply, type ControlRequest, controlRequestSchema, MAX_REQUEST_BYTES } from '#contract/control';
import { ServiceError } from '#contract/errors';
import { LineReader } from './read-lines';

/** @returns the value of the reply. @throws ServiceError. @param signal aborts when the peer disconnects */
export type ControlHandler = (request: ControlRequest, signal: AbortSignal) => Promise<unknown>;

export interface ConnectionOptions {
  readonly handle: ControlHandler;
  readonly onUnexpected: (error: unknown) => void;
  /** Time without a request, and time for a peer to read its reply. */
  readonly idleMs: number;
}

/** Maximum requests that wait on one connection. */
const MAX_WAITING = 8;

export function serveConnection(socket: Socket, { handle, onUnexpected, idleMs }: ConnectionOptions): void {
  const lines = new LineReader(MAX_REQUEST_BYTES);
  const closed = new AbortController();
  const waiting: string[] = [];
  let isBusy = false;

  socket.setTimeout(idleMs);
  socket.on('timeout', () => {
    // Without traffic during a request, the peer waits for the server.
    if (!isBusy || socket.writableLength > 0) socket.destroy();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => closed.abort(new ServiceError('request_timeout', 'The client has disconnected.')));
  socket.on('data', (chunk: Buffer) => {
    try {
      waiting.push(...lines.push(chunk));
    } catch {
      socket.destroy();
      return;
    }
    // Not paused instead: only reading shows that the peer has disconnected.
    if (waiting.length > MAX_WAITING) socket.destroy();
    else if (!isBusy) void work();
  });

  async function work(): Promise<void> {
    isBusy = true;
    for (let line = waiting.shift(); line !== undefined && !socket.destroyed; line = waiting.shift()) {
      await send(await replyTo(line));
    }
    isBusy = false;
  }

  async function replyTo(line: string): Promise<ControlReply> {
    try {
      return { ok: true, value: await handle(parseRequest(line), closed.signal) };
    } catch (error) {
      if (!(error instanceof ServiceError)) onUnexpected(error);
      const known = error instanceof ServiceError ? error : new ServiceError('internal', 'Internal error.');
      return { ok: false, error: { ...known.toBody(), details: { ...known.details } } };
    }
  }

  function send(reply: ControlReply): Promise<void> {
    return new Promise((resolve) => {
      if (socket.destroyed) return resolve();
      socket.once('close', resolve);
      socket.write(`${JSON.stringify(reply)}\n`, () => {
        socket.off('close', resolve);
        resolve();
      });
    });
  }
}

function parseRequest(line: string): ControlRequest {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new ServiceError('request_invalid', 'The request is not JSON.');
  }
  const parsed = controlRequestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ServiceError(
    'request_invalid',
    'The server does not know this request; is the command of another version?'
  );
}
