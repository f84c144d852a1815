/**
 * Decodes the records of one journal file in one pass, and decides whether the bytes after them are unfinished or
 * damaged.
 */
import type { DecodedFile } from './decoded-file';
import {
  FILE_HEAD_BYTES,
  hasRightContent,
  readFileHead,
  readRecordHead,
  RECORD_HEAD_BYTES,
  type RecordHead,
} from './journal-layout';
import { decodeFacts, type JournalRecord } from './journal-record';
import { hasLostSector } from './lost-sectors';
import { decodeOldFile, hasOldFormat } from './old-records';

export function decodeFile(bytes: Buffer): DecodedFile {
  if (hasOldFormat(bytes)) return decodeOldFile(bytes);
  const head = readFileHead(bytes);
  if (head === null) return withoutHead(bytes);
  const records: JournalRecord[] = [];
  let offset = FILE_HEAD_BYTES;
  for (;;) {
    const found = readRecordHead(bytes, head.tag, offset);
    if (found === null || !isNext(records, found) || !isWhole(bytes, found)) break;
    if (found.position > 0) records.push(recordOf(bytes, found));
    offset = found.end;
  }
  return {
    records,
    hasRest: offset < bytes.length,
    isDamaged: isDamagedAt(bytes, head.tag, offset),
    previous: head.previous,
  };
}

/** The head is on disk before the first record is written: a file without a head is new, or damaged. */
function withoutHead(bytes: Buffer): DecodedFile {
  return { records: [], hasRest: bytes.length > 0, isDamaged: bytes.length > FILE_HEAD_BYTES, previous: null };
}

function isNext(records: readonly JournalRecord[], { position }: RecordHead): boolean {
  const newest = records.at(-1);
  return position === 0 || newest === undefined || position === newest.position + 1;
}

function isWhole(bytes: Buffer, head: RecordHead): boolean {
  return head.end <= bytes.length && hasRightContent(bytes, head);
}

function recordOf(bytes: Buffer, { position, factsAt, bodyAt, end }: RecordHead): JournalRecord {
  return { position, ...decodeFacts(bytes.subarray(factsAt, bodyAt)), body: bytes.subarray(bodyAt, end) };
}

/**
 * A killed process leaves a record shorter than its head or than the length in it. A power failure leaves zeros in
 * place of data that was not synced, perhaps before records that reached the disk; then the synced size in later heads
 * decides. Anything else is damage.
 */
function isDamagedAt(bytes: Buffer, tag: Buffer, broken: number): boolean {
  if (broken + RECORD_HEAD_BYTES > bytes.length) return false;
  const head = readRecordHead(bytes, tag, broken);
  const end = head?.end ?? broken + RECORD_HEAD_BYTES;
  if (end > bytes.length) return false;
  return !hasLostSector(bytes, broken, end) || syncedSize(bytes, tag, broken) > broken;
}

/**
 * Largest synced size in the heads after the broken record. The heads are found through the lengths in them, and
 * through a mark at the end.
 */
function syncedSize(bytes: Buffer, tag: Buffer, broken: number): number {
  let synced = readRecordHead(bytes, tag, bytes.length - RECORD_HEAD_BYTES)?.synced ?? 0;
  for (let head = readRecordHead(bytes, tag, broken); head !== null; head = readRecordHead(bytes, tag, head.end)) {
    synced = Math.max(synced, head.synced);
  }
  return synced;
}
