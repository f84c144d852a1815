/** Parts of a file that a power failure kept from the disk: they are read as zeros. */

/** Smallest unit that a disk writes as a whole. Pages and blocks of file systems are multiples of it. */
const SECTOR_BYTES = 512;
const ZEROS = Buffer.alloc(SECTOR_BYTES);

/** Whether a sector between two offsets is all zeros. Bytes of the first sector before `from` do not count: they were on disk already. */
export function hasLostSector(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to;) {
    const next = Math.min(bytes.length, (Math.floor(at / SECTOR_BYTES) + 1) * SECTOR_BYTES);
    if (bytes.compare(ZEROS, 0, next - at, at, next) === 0) return true;
    at = next;
  }
  return false;
}
