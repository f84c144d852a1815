/** Generates trace ids [W3C Trace Context]: 16 random bytes in hexadecimal, not all zero. */
import { randomFillSync } from 'node:crypto';

const ID_BYTES = 16;
/** Random bytes are fetched in blocks: the system call costs far more than the bytes. */
const block = Buffer.allocUnsafeSlow(256 * ID_BYTES);
let used = block.length;

export function newTraceId(): string {
  if (used === block.length) {
    randomFillSync(block);
    used = 0;
  }
  used += ID_BYTES;
  return block.toString('hex', used - ID_BYTES, used);
}
