import type { IncomingMessage } from 'node:http';

/** Whether the head of a request says that a body follows. */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
}
