/** Small body of a request that was read, for those who need it again. */
import type { IncomingMessage } from 'node:http';

/** Larger bodies are read once their request is checked. */
export const MAX_SMALL_BODY_BYTES = 4096;

const BODY = Symbol('small body');

interface WithBody {
  [BODY]?: Buffer;
}

export function keepSmallBody(req: IncomingMessage, bytes: Buffer): void {
  if (bytes.length <= MAX_SMALL_BODY_BYTES) (req as WithBody)[BODY] = bytes;
}

export function smallBody(req: IncomingMessage): Buffer | undefined {
  return (req as WithBody)[BODY];
}

/** Whether a request announces a body that is small, as it is, and sent without waiting. */
export function hasSmallBody({ headers }: IncomingMessage): boolean {
  const bytes = Number(headers['content-length']);
  if (!(bytes <= MAX_SMALL_BODY_BYTES)) return false;
  return headers['content-encoding'] === undefined && headers.expect === undefined;
}
