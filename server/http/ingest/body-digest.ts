/** SHA-256 of a body, in turns. */
import { createHash } from 'node:crypto';
import { inTurns } from '../../ingest/in-turns';

const TURN_BYTES = 1024 * 1024;

export function bodyDigest(body: Buffer): Promise<Buffer> {
  return inTurns(digestOf(body));
}

function* digestOf(body: Buffer): Generator<null, Buffer> {
  const hash = createHash('sha256');
  for (let at = 0; at < body.length; at += TURN_BYTES) {
    hash.update(body.subarray(at, at + TURN_BYTES));
    yield null;
  }
  return hash.digest();
}
