/** Failures of a journal by the file system and by other programs. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Journal } from '#server/stores/journal/journal';
import { fileOf, oldFileOf, oldRecord } from './journal-bytes';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'lqe-journal-'));
});

afterEach(() => {
  jest.restoreAllMocks();
  rmSync(dir, { recursive: true, force: true });
});

const FIRST = '0000000000000001.journal';
const entry = (body: string | Buffer): { source: string; nowMicros: number; body: Buffer } => ({
  source: 'events',
  nowMicros: 7,
  body: Buffer.from(body as string),
});
const firstFile = (): string => path.join(dir, readdirSync(dir).sort()[0]!);

async function append(journal: Journal, body: string): Promise<void> {
  await (
    await journal.append(entry(body))
  ).synced;
}

async function bodies(journal: Journal): Promise<string[]> {
  const found: string[] = [];
  for await (const { body } of journal.read(0)) found.push(Buffer.from(body).toString());
  return found;
}

/** The mark is written behind the acknowledgment. */
const markWritten = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300));

async function reopen(journal: Journal): Promise<Journal> {
  await journal.close(0);
  return Journal.open(dir, 0);
}

type Write = (bytes: Buffer, offset: number, length: number, position: number) => Promise<{ bytesWritten: number }>;

/** Lets writes take a number of bytes more, in pieces, and then fail. */
async function limitWrites(room: number): Promise<void> {
  const handle = await open(dir, 'r');
  const prototype = Object.getPrototypeOf(handle) as { write: Write };
  await handle.close();
  const { write } = prototype;
  let left = room;
  jest.spyOn(prototype, 'write').mockImplementation(async function (this: FileHandle, bytes, offset, length, position) {
    if (left === 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    const piece = Math.min(left, 7, length);
    left -= piece;
    return write.call(this, bytes, offset, piece, position);
  });
}

describe('a full disk', () => {
  it.each([0, 5, 64])('with room for %i bytes of a new file refuses the record and leaves no file', async (room) => {
    const journal = await Journal.open(dir, 0);
    await limitWrites(room);
    await expect(append(journal, 'a')).rejects.toMatchObject({ code: 'ENOSPC' });
    jest.restoreAllMocks();
    await append(journal, 'b');
    const again = await reopen(journal);
    expect(await bodies(again)).toEqual(['b']);
    await again.close(1);
  });

  it.each([0, 20, 48, 60])('after %i bytes of a record refuses it and keeps the others', async (room) => {
    const journal = await Journal.open(dir, 0);
    await append(journal, 'a');
    await limitWrites(room);
    await expect(append(journal, 'b'.repeat(100))).rejects.toMatchObject({ code: 'ENOSPC' });
    jest.restoreAllMocks();
    await append(journal, 'c');
    const again = await reopen(journal);
    expect(await bodies(again)).toEqual(['a', 'c']);
    await again.close(2);
  });

  it('that also prevents cutting the file back stops all writes, and the next start has no trace of the record', async () => {
    const journal = await Journal.open(dir, 0);
    await append(journal, 'a');
    await limitWrites(20);
    const handle = await open(dir, 'r');
    jest
      .spyOn(Object.getPrototypeOf(handle) as FileHandle, 'truncate')
      .mockRejectedValue(Object.assign(new Error('read-only file system'), { code: 'EROFS' }));
    await handle.close();
    await expect(append(journal, 'b')).rejects.toMatchObject({ code: 'ENOSPC' });
    jest.restoreAllMocks();
    await expect(append(journal, 'c')).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(readFileSync(firstFile()).length).toBeGreaterThan(fileOf([entry('a')]).bytes.length);
    const again = await reopen(journal);
    expect(await bodies(again)).toEqual(['a']);
    await again.close(1);
  });

  it('that takes a record but not its mark acknowledges the record', async () => {
    const journal = await Journal.open(dir, 0);
    await append(journal, 'a');
    await markWritten();
    await limitWrites(fileOf([entry('b')]).bytes.length - 64);
    await append(journal, 'b');
    jest.restoreAllMocks();
    const again = await reopen(journal);
    expect(await bodies(again)).toEqual(['a', 'b']);
    await again.close(2);
  });
});

describe('another program', () => {
  it.each([
    ['truncates', (file: string) => truncateSync(file, 70)],
    ['appends to', (file: string) => writeFileSync(file, 'x', { flag: 'a' })],
  ])('that %s the file stops acknowledgments', async (_, spoil) => {
    const journal = await Journal.open(dir, 0);
    await append(journal, 'a');
    await journal.close(0);
    const writing = await Journal.open(dir, 0);
    await append(writing, 'b');
    await markWritten();
    spoil(path.join(dir, readdirSync(dir).sort().at(-1)!));
    await expect(append(writing, 'c')).rejects.toThrow('changed by another program');
    await expect(append(writing, 'd')).rejects.toThrow('changed by another program');
    await writing.close(0);
  });

  it('that deletes the file stops acknowledgments', async () => {
    const journal = await Journal.open(dir, 0);
    await append(journal, 'a');
    rmSync(firstFile());
    await expect(append(journal, 'b')).rejects.toThrow('deleted');
    await expect(append(journal, 'c')).rejects.toThrow('deleted');
    await journal.close(0);
  });

  it('that leaves an empty file does no harm', async () => {
    writeFileSync(path.join(dir, FIRST), fileOf([entry('a')]).bytes);
    writeFileSync(path.join(dir, '0000000000000002.journal'), '');
    const journal = await Journal.open(dir, 0);
    await append(journal, 'b');
    expect(await bodies(journal)).toEqual(['a', 'b']);
    await journal.close(2);
  });

  it('that leaves something other than a journal file makes the start fail', async () => {
    const elsewhere = path.join(dir, 'elsewhere');
    writeFileSync(elsewhere, fileOf([entry('a')]).bytes);
    symlinkSync(elsewhere, path.join(dir, FIRST));
    const refusal = { code: 'backend_unavailable', details: { reason: 'journal_unreadable' } };
    await expect(Journal.open(dir, 0)).rejects.toMatchObject(refusal);
    rmSync(path.join(dir, FIRST));
    mkdirSync(path.join(dir, FIRST));
    await expect(Journal.open(dir, 0)).rejects.toMatchObject(refusal);
  });

  it('that leaves a file in the place of the folder makes the start fail', async () => {
    const file = path.join(dir, 'journal');
    writeFileSync(file, '');
    await expect(Journal.open(file, 0)).rejects.toMatchObject({
      code: 'backend_unavailable',
      message: 'The journal folder cannot be read (EEXIST).',
      details: { reason: 'journal_unreadable' },
    });
  });

  it('that put a link in the place of a rejected batch does not get its events', async () => {
    const elsewhere = path.join(dir, 'elsewhere');
    symlinkSync(elsewhere, path.join(dir, 'events-1.rejected'));
    const journal = await Journal.open(dir, 0);
    const record = { ...entry('a'), position: 1, facts: {} };
    expect(await journal.isSetAside(record)).toBe(false);
    expect(await journal.setAside(record)).toBe('events-1-2.rejected');
    expect(await journal.isSetAside(record)).toBe(true);
    expect(readdirSync(dir)).not.toContain('elsewhere');
    await journal.close(0);
  });
});

it('the journal refuses all writes after it had to refuse an acknowledgment', async () => {
  let isPresent = true;
  const ensurePresent = async (): Promise<void> => {
    if (!isPresent) throw new Error('the folder is another one');
  };
  const journal = await Journal.open(dir, 0, { ensurePresent });
  await append(journal, 'a');
  isPresent = false;
  await expect(append(journal, 'b')).rejects.toThrow('another one');
  await expect(journal.release(1)).resolves.toBeUndefined();
  await expect(journal.close(2)).rejects.toThrow('another one');
  expect(readdirSync(dir)).toEqual([FIRST]);
});

describe('a body that a crash cut off', () => {
  // A search that checks each hit against the rest of the file would read these bytes a million times.
  const MEGABYTES = 4;
  const forged = oldRecord({ position: 2, source: 'events', nowMicros: 7, body: Buffer.from('{"id":"forged"}') });
  const forgedFile = fileOf([entry('{"id":"forged"}'), entry('{"id":"forged"}')], { first: 2, hasMark: true }).bytes;
  /** The head of an old record with the largest lengths that still end inside of the file. */
  const greedy = Buffer.concat([Buffer.from('LQEJ'), Buffer.alloc(4), Buffer.from([0, 0, 0, 0, 0, 0, 1, 0])]);

  it.each([
    ['starts of old records', Buffer.from('LQEJ')],
    ['starts of old records that claim to be long', greedy],
    ['whole old records', forged],
    ['whole files of records', forgedFile],
    ['zeros', Buffer.alloc(1024)],
  ])('full of %s is skipped at the start', async (_, part) => {
    const body = Buffer.alloc(MEGABYTES * 1024 * 1024, part);
    for (const file of [fileOf([entry('a'), entry(body)]), oldFileOf([entry('a'), entry(body)])]) {
      writeFileSync(path.join(dir, FIRST), file.bytes.subarray(0, -1));
      const journal = await Journal.open(dir, 0);
      expect(await bodies(journal)).toEqual(['a']);
      await append(journal, 'b');
      const again = await reopen(journal);
      expect(await bodies(again)).toEqual(['a', 'b']);
      await again.close(2);
      expect(readdirSync(dir)).toEqual([]);
    }
  });

  it('is read back byte by byte when it was acknowledged completely', async () => {
    const body = Buffer.alloc(100_000, forgedFile);
    writeFileSync(path.join(dir, FIRST), fileOf([entry(body), entry('b')]).bytes);
    const journal = await Journal.open(dir, 0);
    expect(await bodies(journal)).toEqual([body.toString(), 'b']);
    await journal.close(2);
  });
});
