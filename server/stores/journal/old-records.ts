/**
 * The previous file format, which is read and never written: records of magic number, checksum, two lengths
 * (little-endian, 4 bytes each), facts as JSON text with the position, and body. The checksum covers everything after
 * it.
 */
import { crc32 } from 'node:zlib';
import type { DecodedFile } from './decoded-file';
import { decodeFacts, type JournalRecord } from './journal-record';
import { hasLostSector } from './lost-sectors';

const MAGIC = Buffer.from('LQEJ', 'latin1');
const CHECKSUM_AT = 4;
const LENGTHS_AT = 8;
const HEAD_BYTES = 16;

export function hasOldFormat(bytes: Buffer): boolean {
  return bytes.length >= MAGIC.length && MAGIC.compare(bytes, 0, MAGIC.length) === 0;
}

/**
 * Follows the lengths from head to head and never searches for a head, since a sender's body may contain such bytes.
 */
export function decodeOldFile(bytes: Buffer): DecodedFile {
  const records: JournalRecord[] = [];
  let offset = 0;
  for (let end = endOf(bytes, offset); end !== null; end = endOf(bytes, offset)) {
    if (!isWhole(bytes, offset, end)) break;
    records.push(recordOf(bytes, offset, end));
    offset = end;
  }
  return { records, hasRest: offset < bytes.length, isDamaged: isDamagedAt(bytes, offset), previous: null };
}

/** A valid record after a broken one means that the broken one was on disk, or may have been. */
function isDamagedAt(bytes: Buffer, broken: number): boolean {
  if (broken + HEAD_BYTES > bytes.length) return false;
  let offset = broken;
  for (let end = endOf(bytes, offset); end !== null; end = endOf(bytes, offset)) {
    if (offset > broken && isWhole(bytes, offset, end)) return true;
    offset = end;
  }
  if (offset > broken) return false;
  // A crash truncates a head, but does not change one.
  return !hasMagic(bytes, broken) && !hasLostSector(bytes, broken, broken + HEAD_BYTES);
}

/** @returns null when no head is at the offset, or the record is longer than the bytes */
function endOf(bytes: Buffer, offset: number): number | null {
  if (offset + HEAD_BYTES > bytes.length || !hasMagic(bytes, offset)) return null;
  const end = bodyStart(bytes, offset) + bytes.readUInt32LE(offset + LENGTHS_AT + 4);
  return end > bytes.length ? null : end;
}

function hasMagic(bytes: Buffer, offset: number): boolean {
  return MAGIC.compare(bytes, offset, offset + MAGIC.length) === 0;
}

function bodyStart(bytes: Buffer, offset: number): number {
  return offset + HEAD_BYTES + bytes.readUInt32LE(offset + LENGTHS_AT);
}

function isWhole(bytes: Buffer, offset: number, end: number): boolean {
  return bytes.readUInt32LE(offset + CHECKSUM_AT) === crc32(bytes.subarray(offset + LENGTHS_AT, end));
}

function recordOf(bytes: Buffer, offset: number, end: number): JournalRecord {
  const bodyAt = bodyStart(bytes, offset);
  const { source, nowMicros, facts } = decodeFacts(bytes.subarray(offset + HEAD_BYTES, bodyAt));
  const { position, ...more } = facts;
  return { position: Number(position), source, nowMicros, facts: more, body: bytes.subarray(bodyAt, end) };
}
