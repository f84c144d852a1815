/**
 * A record of the journal's first format, written so that it fits into the text of an event: no byte of it is NUL, a
 * quote, or outside ASCII. A server that searches its journal for records inside of bodies takes it for one of its own.
 */
import { crc32 } from 'node:zlib';

/** Each byte of the two lengths must be text, so they are large. */
const LENGTH = 0x01_01_01_01;
const TAIL_BYTES = 8;

export function forgeJournalRecord(): Buffer {
  const content = Buffer.alloc(8 + 2 * LENGTH, 'x');
  content.writeUInt32LE(LENGTH, 0);
  content.writeUInt32LE(LENGTH, 4);
  const tailAt = content.length - TAIL_BYTES;
  const before = crc32(content.subarray(0, tailAt));
  for (let attempt = 0; ; attempt++) {
    content.write(String(attempt).padStart(TAIL_BYTES, '0'), tailAt, 'latin1');
    const checksum = crc32(content.subarray(tailAt), before);
    const written = Buffer.alloc(4);
    written.writeUInt32LE(checksum);
    if (written.every(isPlainLetter)) return Buffer.concat([Buffer.from('LQEJ'), written, content]);
  }
}

function isPlainLetter(byte: number): boolean {
  return byte > 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
}
