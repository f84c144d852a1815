/** Journal files as bytes, of the current and of the former format. */
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { createFileHead, encodeMark, encodeRecord } from '#server/stores/journal/journal-layout';
import type { JournalEntry, JournalRecord } from '#server/stores/journal/journal-record';

export interface FileBytes {
  readonly bytes: Buffer;
  readonly tag: Buffer;
  /** Where each record begins and ends. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

export interface FileShape {
  readonly first?: number;
  readonly previous?: number;
  /** How many records one sync makes safe. @default 1 */
  readonly group?: number;
  /** Whether a mark follows the last record, as after a sync. @default false */
  readonly hasMark?: boolean;
}

export function fileOf(entries: readonly JournalEntry[], shape: FileShape = {}): FileBytes {
  const { first = 1, previous = 0, group = 1, hasMark = false } = shape;
  const head = createFileHead(previous);
  const { tag } = head;
  let bytes: Buffer = head.bytes;
  let synced = bytes.length;
  const starts: number[] = [];
  const ends: number[] = [];
  for (const [i, entry] of entries.entries()) {
    if (i % group === 0) synced = bytes.length;
    starts.push(bytes.length);
    bytes = Buffer.concat([bytes, encodeRecord({ tag, offset: bytes.length, synced }, first + i, entry)]);
    ends.push(bytes.length);
  }
  if (hasMark) bytes = Buffer.concat([bytes, encodeMark({ tag, offset: bytes.length, synced: bytes.length })]);
  return { bytes, tag, starts, ends };
}

/** A record of the format before the present one. */
export function oldRecord({ position, source, nowMicros, body }: Omit<JournalRecord, 'facts'>): Buffer {
  const facts = Buffer.from(JSON.stringify({ position, source, nowMicros }));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(facts.length, 0);
  lengths.writeUInt32LE(body.length, 4);
  const covered = Buffer.concat([lengths, facts, body]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(crc32(covered));
  return Buffer.concat([Buffer.from('LQEJ'), checksum, covered]);
}

export function oldFileOf(entries: readonly JournalEntry[], first = 1): FileBytes {
  const records = entries.map((entry, i) => oldRecord({ ...entry, position: first + i }));
  const ends = records.map((_, i) => Buffer.concat(records.slice(0, i + 1)).length);
  return { bytes: Buffer.concat(records), tag: Buffer.alloc(16), starts: [0, ...ends.slice(0, -1)], ends };
}

/**
 * Bodies that look like parts of a journal file: the start of a record, forged whole records of both formats, zeros.
 */
const hostileBody: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.constant(new Uint8Array(1500)),
  fc.constant(Buffer.from('LQEJ'.repeat(40))),
  fc.nat(12).map((position) => oldRecord({ position, source: 'forged', nowMicros: 1, body: Buffer.from('{}') })),
  fc.nat(12).map((first) => {
    const entry = { source: 'forged', nowMicros: 1, body: Buffer.from('{}') };
    return fileOf([entry, entry], { first, hasMark: true }).bytes;
  })
);

export const entry: fc.Arbitrary<JournalEntry> = fc.record({
  source: fc.string({ unit: 'grapheme' }),
  nowMicros: fc.nat(Number.MAX_SAFE_INTEGER),
  body: hostileBody,
  facts: fc.dictionary(
    fc.string().filter((name) => !['source', 'nowMicros', '__proto__'].includes(name)),
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.nat(), { maxLength: 3 }))
  ),
});

/** Comparable with `toEqual`, for any kind of array as the body. */
export function plain(records: readonly JournalEntry[]): unknown[] {
  return records.map(({ source, nowMicros, body, facts }) => ({ source, nowMicros, facts, body: [...body] }));
}
