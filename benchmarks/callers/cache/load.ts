/**
 * Asks the same question again and again over several connections, each waiting for its answer. Reads no more than it
 * must.
 */
import { connect, type Socket } from 'node:net';

export interface Target {
  readonly port: number;
  readonly request: Buffer;
  readonly status: number;
  /** Bytes after the headers. */
  readonly bodyBytes: number;
}

export interface LoadSettings {
  readonly connections: number;
  readonly durationMs: number;
}

/** @returns answers per second. Rejects when one has another status or length than it should. */
export async function load(target: Target, { connections, durationMs }: LoadSettings): Promise<number> {
  const startedAt = performance.now();
  const untilMs = startedAt + durationMs;
  const counts = await Promise.all(Array.from({ length: connections }, () => askUntil(target, untilMs)));
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - startedAt) / 1000);
}

function askUntil(target: Target, untilMs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0;
    let received = Buffer.alloc(0);
    const socket: Socket = connect(target.port, '127.0.0.1', () => socket.write(target.request));
    socket.setNoDelay(true);
    socket.once('error', reject);
    socket.once('close', () => resolve(count));
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const end = received.indexOf('\r\n\r\n');
      if (end < 0 || received.length < end + 4 + target.bodyBytes) return;
      const status = Number(received.toString('latin1', 9, 12));
      if (status !== target.status || received.length !== end + 4 + target.bodyBytes) {
        reject(new Error(`unexpected answer ${received.toString('latin1', 0, end)}`));
        socket.destroy();
        return;
      }
      received = received.subarray(0, 0);
      count += 1;
      if (performance.now() < untilMs) socket.write(target.request);
      else socket.destroy();
    });
  });
}
