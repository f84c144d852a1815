/**
 * Layout of a journal file: a file head, then records, each a record head, facts as JSON text and the body. All
 * numbers are little-endian.
 *
 * | File head, 64 bytes          | Record head, 48 bytes                                       |
 * |------------------------------|-------------------------------------------------------------|
 * | 0 magic                      | 0 tag of the file                                           |
 * | 16 tag: random bytes         | 16 position, 8 bytes; 0: a mark without facts and body      |
 * | 32 name of the previous file | 24 offset of this head in the file                          |
 * | 40 zeros                     | 28 bytes that were synced when this head was written        |
 * | 60 checksum of bytes 0 to 59 | 32 length of the facts, 36 length of the body               |
 * |                              | 40 checksum of facts and body, 44 checksum of bytes 0 to 43 |
 *
 * A reader follows the lengths from head to head and never searches for a head, so the bytes of a sender are never read
 * as a head. The tag prevents blocks of an earlier file, which a file system may leave behind after a power failure,
 * from being read as records of this file. The synced size distinguishes lost records that were acknowledged from those
 * that were not.
 */
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { encodeFacts, type JournalEntry } from './journal-record';

const MAGIC = Buffer.from('LQE-JOURNAL-2\r\n\0', 'latin1');
export const TAG_BYTES = 16;
export const FILE_HEAD_BYTES = 64;
export const RECORD_HEAD_BYTES = 48;

const CHECKSUM_BYTES = 4;
const PREVIOUS_AT = 32;
const POSITION_AT = 16;
const OFFSET_AT = 24;
const SYNCED_AT = 28;
const FACTS_LENGTH_AT = 32;
const BODY_LENGTH_AT = 36;
const CONTENT_CHECKSUM_AT = 40;

export interface FileHead {
  readonly tag: Buffer;
  /** Number in the name of the file that was the newest when this one was created; 0: none. */
  readonly previous: number;
}

export interface RecordHead {
  /** 0: a mark, which only contains the synced size. */
  readonly position: number;
  /** Bytes from the start of the file that were on disk when this head was written. */
  readonly synced: number;
  readonly factsAt: number;
  readonly bodyAt: number;
  readonly end: number;
  readonly contentChecksum: number;
}

/** Position of a record in its file. */
export interface RecordPlace {
  readonly tag: Buffer;
  readonly offset: number;
  readonly synced: number;
}

export function createFileHead(previous: number): FileHead & { readonly bytes: Buffer } {
  const tag = randomBytes(TAG_BYTES);
  const bytes = Buffer.alloc(FILE_HEAD_BYTES);
  MAGIC.copy(bytes);
  tag.copy(bytes, MAGIC.length);
  bytes.writeBigUInt64LE(BigInt(previous), PREVIOUS_AT);
  writeChecksum(bytes, FILE_HEAD_BYTES);
  return { tag, previous, bytes };
}

/** @returns null when the bytes do not start with a valid file head */
export function readFileHead(bytes: Buffer): FileHead | null {
  if (bytes.length < FILE_HEAD_BYTES || MAGIC.compare(bytes, 0, MAGIC.length) !== 0) return null;
  const head = bytes.subarray(0, FILE_HEAD_BYTES);
  if (!hasRightChecksum(head)) return null;
  const tag = head.subarray(MAGIC.length, MAGIC.length + TAG_BYTES);
  return { tag, previous: Number(head.readBigUInt64LE(PREVIOUS_AT)) };
}

/** @throws RangeError when the facts are too large */
export function encodeRecord(place: RecordPlace, position: number, entry: JournalEntry): Buffer {
  const facts = encodeFacts(entry);
  const record = Buffer.allocUnsafe(RECORD_HEAD_BYTES + facts.length + entry.body.length);
  facts.copy(record, RECORD_HEAD_BYTES);
  record.set(entry.body, RECORD_HEAD_BYTES + facts.length);
  writeRecordHead(record, place, { position, factsLength: facts.length, bodyLength: entry.body.length });
  return record;
}

export function encodeMark(place: RecordPlace): Buffer {
  const mark = Buffer.allocUnsafe(RECORD_HEAD_BYTES);
  writeRecordHead(mark, place, { position: 0, factsLength: 0, bodyLength: 0 });
  return mark;
}

interface RecordSize {
  readonly position: number;
  readonly factsLength: number;
  readonly bodyLength: number;
}

function writeRecordHead(record: Buffer, { tag, offset, synced }: RecordPlace, size: RecordSize): void {
  tag.copy(record);
  record.writeBigUInt64LE(BigInt(size.position), POSITION_AT);
  record.writeUInt32LE(offset, OFFSET_AT);
  record.writeUInt32LE(synced, SYNCED_AT);
  record.writeUInt32LE(size.factsLength, FACTS_LENGTH_AT);
  record.writeUInt32LE(size.bodyLength, BODY_LENGTH_AT);
  record.writeUInt32LE(crc32(record.subarray(RECORD_HEAD_BYTES)), CONTENT_CHECKSUM_AT);
  writeChecksum(record, RECORD_HEAD_BYTES);
}

/** @returns null when there is no valid head of this file at the offset */
export function readRecordHead(bytes: Buffer, tag: Buffer, offset: number): RecordHead | null {
  if (offset < 0 || offset + RECORD_HEAD_BYTES > bytes.length) return null;
  const head = bytes.subarray(offset, offset + RECORD_HEAD_BYTES);
  if (tag.compare(head, 0, TAG_BYTES) !== 0 || !hasRightChecksum(head)) return null;
  if (head.readUInt32LE(OFFSET_AT) !== offset) return null;
  const factsAt = offset + RECORD_HEAD_BYTES;
  const bodyAt = factsAt + head.readUInt32LE(FACTS_LENGTH_AT);
  return {
    position: Number(head.readBigUInt64LE(POSITION_AT)),
    synced: head.readUInt32LE(SYNCED_AT),
    factsAt,
    bodyAt,
    end: bodyAt + head.readUInt32LE(BODY_LENGTH_AT),
    contentChecksum: head.readUInt32LE(CONTENT_CHECKSUM_AT),
  };
}

/** @param head of a record that ends within the bytes */
export function hasRightContent(bytes: Buffer, { factsAt, end, contentChecksum }: RecordHead): boolean {
  return crc32(bytes.subarray(factsAt, end)) === contentChecksum;
}

function writeChecksum(bytes: Buffer, length: number): void {
  const at = length - CHECKSUM_BYTES;
  bytes.writeUInt32LE(crc32(bytes.subarray(0, at)), at);
}

function hasRightChecksum(head: Buffer): boolean {
  const at = head.length - CHECKSUM_BYTES;
  return head.readUInt32LE(at) === crc32(head.subarray(0, at));
}
