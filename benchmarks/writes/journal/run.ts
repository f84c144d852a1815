/** Writes a journal, and measures how long it takes to open and to read. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { Journal } from '#server/stores/journal/journal';
import { batches } from '../../support/dataset';
import { grouped, ms, type Row } from '../../support/report';
import { JOURNAL_BAR_MS_PER_GIB } from '../../support/settings';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
/** Size of a body: some of them fill a journal file. */
const BODY_BYTES = 4 * MIB;
const FILE_RECORDS = 8;

export async function measureJournal(cacheDir: string, mebibytes: number): Promise<Row[]> {
  const records = Math.max(1, Math.ceil((mebibytes * MIB) / BODY_BYTES));
  const forged = Buffer.concat([oldRecord(2, Buffer.from('{"id":"forged"}')), Buffer.from('LQEJ'.repeat(16))]);
  const hostile = Buffer.alloc(BODY_BYTES, forged);
  return [
    await measure(cacheDir, 'events', records, (dir) => writeJournal(dir, records, eventBody())),
    await measure(cacheDir, 'bodies like records', records, (dir) => writeJournal(dir, records, hostile)),
    await measure(cacheDir, 'the same, format before', records - 1, (dir) => writeOldJournal(dir, records, hostile)),
  ];
}

async function measure(
  cacheDir: string,
  what: string,
  expected: number,
  write: (dir: string) => Promise<void>
): Promise<Row> {
  const dir = join(cacheDir, 'journal');
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  try {
    await write(dir);
    const startedAt = performance.now();
    const journal = await Journal.open(dir, 0);
    const openMs = performance.now() - startedAt;
    let bytes = 0;
    let records = 0;
    for await (const { body } of journal.read(0)) {
      records++;
      bytes += body.byteLength;
    }
    const totalMs = performance.now() - startedAt;
    await journal.close(0);
    if (records !== expected) throw new Error(`journal: ${records} of ${expected} records`);
    const barMs = (JOURNAL_BAR_MS_PER_GIB * bytes) / GIB;
    return {
      what: `start over a journal, ${what}`,
      size: `${grouped(bytes / MIB)} MiB`,
      against: '',
      measured: ms(openMs),
      p95: '',
      bar: ms(barMs),
      isWithin: openMs <= barMs,
      detail: `reading the records once more, as the replay does: ${ms(totalMs - openMs)}`,
      figures: { bytes, records, openMs, totalMs },
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function writeJournal(dir: string, records: number, body: Buffer): Promise<void> {
  const journal = await Journal.open(dir, 0);
  for (let i = 0; i < records; i++) await (await journal.append({ source: 'events', nowMicros: 7, body })).synced;
  await journal.close(0);
}

/** The last record is cut off. */
async function writeOldJournal(dir: string, records: number, body: Buffer): Promise<void> {
  for (let first = 1; first <= records; first += FILE_RECORDS) {
    const positions = Array.from({ length: Math.min(FILE_RECORDS, records - first + 1) }, (_, i) => first + i);
    const bytes = Buffer.concat(positions.map((position) => oldRecord(position, body)));
    const isLast = first + FILE_RECORDS > records;
    writeFileSync(join(dir, `${String(first).padStart(16, '0')}.journal`), isLast ? bytes.subarray(0, -1) : bytes);
  }
}

function oldRecord(position: number, body: Buffer): Buffer {
  const facts = Buffer.from(JSON.stringify({ position, source: 'events', nowMicros: 7 }));
  const head = Buffer.alloc(16);
  head.write('LQEJ', 'latin1');
  head.writeUInt32LE(facts.length, 8);
  head.writeUInt32LE(body.length, 12);
  head.writeUInt32LE(crc32(body, crc32(facts, crc32(head.subarray(8)))), 4);
  return Buffer.concat([head, facts, body]);
}

function eventBody(): Buffer {
  const [batch = Buffer.alloc(1)] = batches(Date.now() * 1000, 1000, 2);
  return Buffer.alloc(BODY_BYTES, batch);
}
