/** Sectors of a file that did not reach the disk before a power failure: they are read as zeros. */

/** Smallest unit that a disk writes atomically. Pages and blocks of file systems are multiples of it. */
const SECTOR_BYTES = 512;
const ZEROS = Buffer.alloc(SECTOR_BYTES);

/**
 * True when a sector between two offsets is all zeros. In the first sector only the bytes after `from` count: those
 * before were on disk already.
 */
export function hasLostSector(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to;) {
    const next = Math.min(bytes.length, (Math.floor(at / SECTOR_BYTES) + 1) * SECTOR_BYTES);
    if (bytes.compare(ZEROS, 0, next - at, at, next) === 0) return true;
    at = next;
  }
  return false;
}
