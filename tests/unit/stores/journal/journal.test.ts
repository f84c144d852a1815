import { mkdtempSync, readdirSync, rmSync, writeFileSync, readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Journal } from '#server/stores/journal/journal';
import { fileOf, oldFileOf, oldRecord } from './journal-bytes';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'lqe-journal-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

const body = (text: string): Buffer => Buffer.from(text);

const entry = (content: string | Buffer): { source: string; nowMicros: number; body: Buffer } => ({
  source: 'events',
  nowMicros: 7,
  body: Buffer.from(content as string),
});

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

  it('continues after the records in the tables when its files are missing', async () => {
    const journal = await Journal.open(dir, 41);
    expect(await append(journal, 'a')).toBe(42);
    await journal.close(42);
  });

  it.each<[string, number, number[], object | null]>([
    ['none, when the tables have what was before', 2, [3], null],
    ['those before its first file', 0, [3], { count: 2, before: '0000000000000003.journal' }],
    ['those of a file between two', 0, [1, 3, 4], { count: 1, before: '0000000000000003.journal' }],
    ['those of several files', 1, [3, 6], { count: 3, before: '0000000000000003.journal' }],
  ])('says which records are missing: %s', async (_which, stored, positions, missing) => {
    for (const position of positions) {
      const { bytes } = fileOf([entry('x')], { first: position, previous: position - 1 });
      writeFileSync(path.join(dir, `${String(position).padStart(16, '0')}.journal`), bytes);
    }
    expect((await Journal.open(dir, stored)).missing).toEqual(missing);
  });

  it.each<[string, number, string | null]>([
    ['as much as the tables', 3, null],
    ['more than the tables', 2, null],
    ['less than the tables', 4, '0000000000000002.journal'],
  ])('says that it was cut off when it has less than the tables: %s', async (_which, stored, cutOff) => {
    const old = fileOf([entry('a')]);
    writeFileSync(path.join(dir, '0000000000000001.journal'), old.bytes);
    const newer = fileOf([entry('b'), entry('c')], { first: 2, previous: 1 });
    writeFileSync(path.join(dir, '0000000000000002.journal'), newer.bytes);
    // A process ended after it had made a file, and before its first record.
    writeFileSync(path.join(dir, '0000000000000004.journal'), fileOf([], { first: 4, previous: 2 }).bytes);
    const journal = await Journal.open(dir, stored);
    expect(journal.cutOff).toBe(cutOff);
    await journal.close(stored);
  });

  it('starts a new file when one is large, and removes files once the tables have them', async () => {
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

  it('stops writing to a file that was moved away', async () => {
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

  it('stores facts of any name', async () => {
    const journal = await Journal.open(dir, 0);
    const facts = { identity: { base: 'abc', index: [0, 2] }, tenant: 'acme' };
    await (
      await journal.append({ source: 'events', nowMicros: 7, body: body('a'), facts })
    ).synced;
    await journal.close(0);
    const again = await Journal.open(dir, 0);
    for await (const record of again.read(0)) expect(record.facts).toEqual(facts);
    await again.close(1);
  });

  it('refuses a file with a missing end when a later file follows, unless the tables have its records', async () => {
    const first = await Journal.open(dir, 0);
    await append(first, 'a');
    await append(first, 'b');
    await first.close(0);
    const second = await Journal.open(dir, 0);
    await append(second, 'c');
    await second.close(0);
    const file = path.join(dir, readdirSync(dir).sort()[0]!);
    const { ends } = fileOf([entry('a'), entry('b')]);
    const bytes = readFileSync(file);
    // In the middle of a record, and between two.
    for (const size of [ends[1]! - 2, ends[0]!]) {
      writeFileSync(file, bytes.subarray(0, size));
      await expect(Journal.open(dir, 0)).rejects.toMatchObject({ details: { reason: 'journal_damaged' } });
    }
    const third = await Journal.open(dir, 2);
    expect(await texts(third, 2)).toEqual([[3, 'c']]);
    await third.close(3);
  });

  it('refuses a changed record, unless the next file begins with it', async () => {
    const file = (name: string): string => path.join(dir, `${name.padStart(16, '0')}.journal`);
    const { bytes, ends } = fileOf([entry('a'), entry('b')]);
    bytes[ends[1]! - 1] = 0x7a;
    writeFileSync(file('1'), bytes);
    await expect(Journal.open(dir, 0)).rejects.toMatchObject({ details: { reason: 'journal_damaged' } });
    writeFileSync(file('3'), fileOf([entry('c')], { first: 3, previous: 1 }).bytes);
    await expect(Journal.open(dir, 0)).rejects.toMatchObject({ details: { reason: 'journal_damaged' } });
    rmSync(file('3'));
    writeFileSync(file('2'), fileOf([entry('b')], { first: 2, previous: 1 }).bytes);
    const journal = await Journal.open(dir, 0);
    expect(await texts(journal)).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
    await journal.close(2);
  });

  it('reads files of the former format, and continues after them', async () => {
    writeFileSync(path.join(dir, '0000000000000001.journal'), oldFileOf([entry('a'), entry('b')]).bytes);
    const journal = await Journal.open(dir, 0);
    expect(await append(journal, 'c')).toBe(3);
    expect(await texts(journal)).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]);
    await journal.close(3);
  });

  it('that is cut at any place starts with the records before the cut, and continues after them', async () => {
    const { bytes, ends } = fileOf([entry('a'), entry(oldRecord({ ...entry('x'), position: 3 })), entry('c')]);
    for (let cut = 0; cut <= bytes.length; cut++) {
      writeFileSync(path.join(dir, '0000000000000001.journal'), bytes.subarray(0, cut));
      const journal = await Journal.open(dir, 0);
      const whole = ends.filter((end) => end <= cut).length;
      expect((await texts(journal)).map(([position]) => position)).toEqual([1, 2, 3].slice(0, whole));
      if (cut % 16 === 0) {
        expect(await append(journal, 'next')).toBe(whole + 1);
        await journal.close(0);
        const again = await Journal.open(dir, 0);
        expect((await texts(again)).map(([position]) => position)).toEqual([1, 2, 3, 4].slice(0, whole + 1));
        await again.close(4);
      } else {
        await journal.close(3);
      }
    }
  });

  it('serves several writers with few syncs, each after its own record is on disk', async () => {
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
