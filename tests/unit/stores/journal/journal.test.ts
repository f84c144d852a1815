import { mkdtempSync, readdirSync, rmSync, writeFileSync, readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { Journal } from '#server/stores/journal/journal';
import { decodeRecords, encodeRecord, type JournalRecord } from '#server/stores/journal/journal-record';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'lqe-journal-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

const body = (text: string): Buffer => Buffer.from(text);

async function append(journal: Journal, text: string): Promise<number> {
  const { position, synced } = await journal.append({ source: 'events', nowMicros: 7, body: body(text) });
  await synced;
  return position;
}

async function texts(journal: Journal, after = 0): Promise<[number, string][]> {
  const found: [number, string][] = [];
  for await (const record of journal.read(after)) found.push([record.position, Buffer.from(record.body).toString()]);
  return found;
}

describe('records', () => {
  const record = fc.record({
    source: fc.string({ unit: 'grapheme' }),
    nowMicros: fc.nat(Number.MAX_SAFE_INTEGER),
    position: fc.nat(Number.MAX_SAFE_INTEGER),
    // Bodies that look like the start of a record are the hard ones.
    body: fc.oneof(fc.uint8Array({ maxLength: 60 }), fc.constant(new Uint8Array(Buffer.from('LQEJLQEJ\0\0\0\0')))),
  });
  const bytesOf = (records: readonly JournalRecord[]): Buffer => Buffer.concat(records.map(encodeRecord));
  const plain = (records: readonly JournalRecord[]): unknown[] =>
    records.map((item) => ({ ...item, body: [...item.body] }));

  it('are read as they were written', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 5 }), (records) => {
        const decoded = decodeRecords(bytesOf(records));
        expect(plain(decoded.records)).toEqual(plain(records));
        expect(decoded).toMatchObject({ hasRest: false, isDamaged: false });
      })
    );
  });

  it('that were cut off anywhere are whole up to there, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 4 }), fc.nat(), (records, seed) => {
        const bytes = bytesOf(records);
        const cut = seed % bytes.length;
        const ends = records.map((_, i) => bytesOf(records.slice(0, i + 1)).length);
        const whole = ends.filter((end) => end <= cut).length;
        const decoded = decodeRecords(bytes.subarray(0, cut));
        expect(plain(decoded.records)).toEqual(plain(records.slice(0, whole)));
        expect(decoded.isDamaged).toBe(false);
        expect(decoded.hasRest).toBe(cut !== (ends[whole - 1] ?? 0));
      })
    );
  });

  it('with a changed byte are never read as another record', () => {
    fc.assert(
      fc.property(
        fc.array(record, { minLength: 1, maxLength: 3 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (records, seed, flip) => {
          const bytes = bytesOf(records);
          const at = seed % bytes.length;
          bytes[at] = bytes[at]! ^ flip;
          const decoded = decodeRecords(bytes);
          expect(decoded.records.length).toBeLessThan(records.length);
          expect(plain(decoded.records)).toEqual(plain(records.slice(0, decoded.records.length)));
          expect(decoded.isDamaged).toBe(decoded.records.length < records.length - 1);
        }
      )
    );
  });
});

/** A disk whose syncs wait until it goes on. */
async function slowDisk(): Promise<{ goOn(): void; restore(): void }> {
  const handle = await open(path.join(dir, readdirSync(dir)[0] ?? '.'), 'r');
  const prototype = Object.getPrototypeOf(handle) as { datasync(): Promise<void> };
  await handle.close();
  const datasync = prototype.datasync;
  let goOn: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  prototype.datasync = async function (this: object) {
    await gate;
    return datasync.call(this);
  };
  return { goOn, restore: () => void (prototype.datasync = datasync) };
}

describe('the journal', () => {
  it('numbers records from one, also over restarts', async () => {
    const first = await Journal.open(dir, 0);
    expect(await append(first, 'a')).toBe(1);
    expect(await append(first, 'b')).toBe(2);
    await first.close(0);
    const second = await Journal.open(dir, 1);
    expect(await texts(second, 1)).toEqual([[2, 'b']]);
    expect(await append(second, 'c')).toBe(3);
    expect(await texts(second)).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]);
    await second.close(3);
  });

  it('goes on behind what the tables hold when its files are gone', async () => {
    const journal = await Journal.open(dir, 41);
    expect(await append(journal, 'a')).toBe(42);
    await journal.close(42);
  });

  it('starts a new file when one is large, and removes files as the tables take them', async () => {
    const journal = await Journal.open(dir, 0);
    const large = 'x'.repeat(20 * 1024 * 1024);
    for (let i = 0; i < 5; i++) await append(journal, large);
    expect(readdirSync(dir)).toHaveLength(3);
    await journal.release(3);
    expect(readdirSync(dir)).toHaveLength(2);
    expect((await texts(journal, 3)).map(([position]) => position)).toEqual([4, 5]);
    await journal.close(5);
    expect(readdirSync(dir)).toEqual([]);
  });

  it('is readable by its owner alone', async () => {
    const journal = await Journal.open(path.join(dir, 'journal'), 0);
    await append(journal, 'a');
    const [name = ''] = readdirSync(path.join(dir, 'journal'));
    expect(statSync(path.join(dir, 'journal')).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(dir, 'journal', name)).mode & 0o777).toBe(0o600);
    await journal.close(0);
  });

  it('takes a file that somebody moved away for what it is', async () => {
    const first = await Journal.open(dir, 0);
    await append(first, 'a');
    await first.close(0);
    const second = await Journal.open(dir, 0);
    await append(second, 'b');
    await second.close(0);
    rmSync(path.join(dir, readdirSync(dir).sort()[0]!));
    const third = await Journal.open(dir, 0);
    expect(await texts(third)).toEqual([[2, 'b']]);
    await third.close(0);
  });

  it('refuses a file whose end is missing when a later file follows', async () => {
    const first = await Journal.open(dir, 0);
    await append(first, 'a');
    await append(first, 'b');
    await first.close(0);
    const second = await Journal.open(dir, 0);
    await append(second, 'c');
    await second.close(0);
    const name = readdirSync(dir).sort()[0]!;
    writeFileSync(path.join(dir, name), readFileSync(path.join(dir, name)).subarray(0, -2));
    await expect(Journal.open(dir, 0)).rejects.toMatchObject({ details: { reason: 'journal_damaged' } });
  });

  it('answers several writers with few syncs, each after its own record is on disk', async () => {
    const journal = await Journal.open(dir, 0);
    const appended = [];
    // However fast the disk is: no sync ends before everybody has written.
    const disk = await slowDisk();
    for (let i = 0; i < 20; i++) {
      appended.push(await journal.append({ source: 'events', nowMicros: 7, body: body(String(i)) }));
    }
    disk.goOn();
    await Promise.all(appended.map(({ synced }) => synced));
    disk.restore();
    expect(new Set(appended.map(({ synced }) => synced)).size).toBeLessThan(20);
    expect((await texts(journal)).map(([, text]) => text)).toEqual(appended.map((_, i) => String(i)));
    await journal.close(20);
  });
});
