/** Client of the control socket of a running server. */
import { connect, type Socket } from 'node:net';
import type { z } from 'zod';
import { type ControlRequest, controlReplySchema, MAX_REPLY_BYTES } from '#contract/control';
import { ServiceError } from '#contract/errors';
import { LineReader } from '../../app/control/read-lines';
import { controlSocketPath } from '../../app/control/socket-path';
import { BackupError } from './backup-error';
import { toError } from '../../common/caught-error';

interface Waiting {
  resolve(line: string): void;
  reject(error: Error): void;
}

export class ControlClient {
  private waiting: Waiting | null = null;
  private failure: Error | null = null;
  private readonly lines = new LineReader(MAX_REPLY_BYTES);

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const line of this.lines.push(chunk)) this.waiting?.resolve(line);
      } catch (error) {
        socket.destroy(toError(error));
      }
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.failure ??= new BackupError('The server has closed the connection. Run the command again to continue.');
      this.waiting?.reject(this.failure);
    });
  }

  /** @returns null when no server uses the data folder */
  static async open(dataDir: string): Promise<ControlClient | null> {
    const path = controlSocketPath(dataDir);
    const socket = connect(path);
    const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
      socket.once('connect', () => resolve(null));
      socket.once('error', resolve);
    });
    if (error === null) return new ControlClient(socket);
    if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED' || error.code === 'ENOTDIR') return null;
    throw new BackupError(
      `The server does not accept the connection to ${path} (${error.code}). Run the command as its user.`
    );
  }

  /** One request at a time. @throws ServiceError of the server, BackupError */
  async send<T>(request: ControlRequest, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> {
    const onAbort = (): void => {
      this.failure ??= toError(signal.reason);
      this.socket.destroy();
    };
    if (signal.aborted) throw signal.reason;
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const line = await new Promise<string>((resolve, reject) => {
        if (this.failure !== null) return reject(this.failure);
        this.waiting = { resolve, reject };
        this.socket.write(`${JSON.stringify(request)}\n`);
      });
      const reply = controlReplySchema.safeParse(parseJson(line));
      if (!reply.success) throw otherVersion();
      if (!reply.data.ok) throw ServiceError.fromBody(reply.data.error);
      const value = schema.safeParse(reply.data.value);
      if (!value.success) throw otherVersion();
      return value.data;
    } finally {
      this.waiting = null;
      signal.removeEventListener('abort', onAbort);
    }
  }

  close(): void {
    this.socket.destroy();
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function otherVersion(): BackupError {
  return new BackupError(
    'The reply of the server is not understood. Use the command of the version that the server runs.'
  );
}
