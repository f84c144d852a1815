/**
 * The bytes of one record: magic number, checksum, two lengths (little-endian, 4 bytes each), the facts as JSON text, the body. The checksum
 * covers all that follows it, so that a record that was cut off, or overwritten, is told from a whole one.
 */
import { crc32 } from 'node:zlib';
import type { IngestRequest } from '#contract/ingest';

/** The accepted entries of a batch. */
export interface JournalEntry extends IngestRequest {
  readonly body: Uint8Array;
}

export interface JournalRecord extends JournalEntry {
  /** Records are numbered from 1 without gaps. */
  readonly position: number;
}

const MAGIC = Buffer.from('LQEJ', 'latin1');
const CHECKSUM_AT = 4;
const LENGTHS_AT = 8;
const HEAD_BYTES = 16;

export function encodeRecord({ position, source, nowMicros, form, identity, tenant, body }: JournalRecord): Buffer {
  const facts = Buffer.from(JSON.stringify({ position, source, nowMicros, form, identity, tenant }), 'utf8');
  const record = Buffer.allocUnsafe(HEAD_BYTES + facts.length + body.length);
  MAGIC.copy(record);
  record.writeUInt32LE(facts.length, LENGTHS_AT);
  record.writeUInt32LE(body.length, LENGTHS_AT + 4);
  facts.copy(record, HEAD_BYTES);
  record.set(body, HEAD_BYTES + facts.length);
  record.writeUInt32LE(crc32(record.subarray(LENGTHS_AT)), CHECKSUM_AT);
  return record;
}

export interface DecodedRecords {
  /** Their bodies are views of the bytes given. */
  readonly records: readonly JournalRecord[];
  /** Whether bytes that are no record follow, as a write that was cut off leaves them. */
  readonly hasRest: boolean;
  /** True when a whole record stands behind such bytes: what lay between is lost, not merely unfinished. */
  readonly isDamaged: boolean;
}

/** Reads records up to the first bytes that are none. */
export function decodeRecords(bytes: Buffer): DecodedRecords {
  const records: JournalRecord[] = [];
  let offset = 0;
  for (;;) {
    const found = recordAt(bytes, offset);
    if (found === null) {
      return { records, hasRest: offset < bytes.length, isDamaged: hasRecordAfter(bytes, offset) };
    }
    records.push(found.record);
    offset = found.end;
  }
}

function hasRecordAfter(bytes: Buffer, offset: number): boolean {
  for (let at = bytes.indexOf(MAGIC, offset + 1); at >= 0; at = bytes.indexOf(MAGIC, at + 1)) {
    if (recordAt(bytes, at) !== null) return true;
  }
  return false;
}

function recordAt(bytes: Buffer, offset: number): { readonly record: JournalRecord; readonly end: number } | null {
  const factsAt = offset + HEAD_BYTES;
  if (factsAt > bytes.length || MAGIC.compare(bytes, offset, offset + MAGIC.length) !== 0) return null;
  const bodyAt = factsAt + bytes.readUInt32LE(offset + LENGTHS_AT);
  const end = bodyAt + bytes.readUInt32LE(offset + LENGTHS_AT + 4);
  if (end > bytes.length) return null;
  if (bytes.readUInt32LE(offset + CHECKSUM_AT) !== crc32(bytes.subarray(offset + LENGTHS_AT, end))) return null;
  const facts = JSON.parse(bytes.toString('utf8', factsAt, bodyAt)) as Omit<JournalRecord, 'body'>;
  return { record: { ...facts, body: bytes.subarray(bodyAt, end) }, end };
}
