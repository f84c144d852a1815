/**
 * The journal keeps batches on disk from their acknowledgment until they are in the tables. Records are appended to the
 * newest of a few files; a file is removed once all its records are in the tables.
 */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, unlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ServiceError } from '#contract/errors';
import { JournalFile } from './journal-file';
import type { JournalEntry, JournalRecord } from './journal-record';
import { READ, readJournalFile, readJournalFolder } from './read-file';
import { errorCode } from '../../common/caught-error';

/** Size at which a new file is started. */
const LARGE_FILE_BYTES = 32 * 1024 * 1024;
/** More than most batches have. */
const ROOM_BYTES = 4 * 1024 * 1024;
const ROOM_FILE = 'room.probe';
const FILE_PATTERN = /^(\d{16})\.journal$/;
/** Flags for a file that may exist. A symbolic link at its path is not followed. */
const REPLACE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;

interface OlderFile {
  readonly path: string;
  /** Position of its newest record; 0: no record. */
  readonly last: number;
}

export interface Appended {
  readonly position: number;
  /** Resolves when the record is on disk. */
  readonly synced: Promise<void>;
}

export interface JournalOptions {
  /**
   * Runs before each acknowledgment, and before files are removed or set aside. A failure permanently prevents
   * acknowledgments.
   */
  readonly ensurePresent?: () => Promise<void>;
}

export class Journal {
  private readonly dir: string;
  private readonly ensurePresent: () => Promise<void>;
  /** Closed files, oldest first. */
  private older: OlderFile[];
  private file: JournalFile | null = null;
  private next: number;
  private failure: Error | null = null;
  /** Records that neither the tables nor the files had when the journal was opened; null: none. */
  readonly missing: MissingRecords | null;
  /** Name of the newest file with records, where it ended before what the tables have; null: it did not. */
  readonly cutOff: string | null;

  private constructor(dir: string, { ensurePresent }: JournalOptions, { older, last, missing, cutOff }: Folder) {
    this.dir = dir;
    this.ensurePresent = ensurePresent ?? (() => Promise.resolve());
    this.older = older;
    this.next = last + 1;
    this.missing = missing;
    this.cutOff = cutOff;
  }

  /**
   * Opens the journal. The time is proportional to the size of the files, not to their content.
   * @param stored position up to which the tables contain every record.
   * @throws ServiceError `backend_unavailable` with `reason: journal_damaged` when a later record is missing or
   * changed, and with `reason: journal_unreadable` when a file or the folder cannot be read
   */
  static async open(dir: string, stored: number, options: JournalOptions = {}): Promise<Journal> {
    const names = (await readJournalFolder(dir)).filter((entry) => FILE_PATTERN.test(entry)).sort();
    const journal = new Journal(dir, options, await readFolder(dir, names, stored));
    await journal.release(stored);
    return journal;
  }

  /**
   * Writes a record; one call at a time. A record that could not be written leaves no bytes in the file.
   * @throws the failure of the file system; RangeError when the facts are too large
   */
  async append(entry: JournalEntry): Promise<Appended> {
    const file = await this.fileToWrite();
    const position = this.next;
    await file.append(position, entry);
    this.next++;
    return { position, synced: file.sync() };
  }

  /** Records after a position, oldest first. */
  async *read(after: number): AsyncGenerator<JournalRecord> {
    const files = this.file === null ? this.older : [...this.older, this.file];
    for (const { path, last } of files) {
      if (last <= after) continue;
      for (const record of (await readJournalFile(path)).records) if (record.position > after) yield record;
    }
  }

  /**
   * Removes files whose records are all in the tables. @param stored position up to which the tables contain every
   * record
   */
  async release(stored: number): Promise<void> {
    const done = this.older.filter(({ last }) => last <= stored);
    if (done.length === 0) return;
    // Another folder that replaced this one may contain files of the same names.
    await this.ensurePresent();
    this.older = this.older.filter(({ last }) => last > stored);
    for (const { path } of done) await unlink(path);
  }

  /**
   * Writes the body of a batch that the tables cannot store to a file, so that an operator can examine it and send it
   * again. @returns the name of the file.
   */
  async setAside(record: JournalRecord): Promise<string> {
    const { name } = await findAside(this.dir, record);
    await this.ensurePresent();
    await writeFile(join(this.dir, name), record.body, { mode: 0o600, flag: REPLACE, flush: true });
    // The record itself may be removed after this.
    await syncDirectory(this.dir);
    return name;
  }

  async isSetAside(record: JournalRecord): Promise<boolean> {
    return (await findAside(this.dir, record)).isComplete;
  }

  /**
   * Writes a file as large as most batches are, without a name. Quotas are noticed by a write only.
   * @throws the failure of the file system, such as ENOSPC
   */
  async ensureRoom(): Promise<void> {
    const path = join(this.dir, ROOM_FILE);
    const handle = await open(path, REPLACE, 0o600);
    try {
      await unlink(path);
      // Random bytes, because file systems that compress need no room for others.
      await handle.writeFile(randomBytes(ROOM_BYTES));
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** Closes. No file remains when all records are in the tables. */
  async close(stored: number): Promise<void> {
    await this.endFile();
    await this.release(stored);
  }

  private async fileToWrite(): Promise<JournalFile> {
    this.ensureSound();
    if (this.file !== null && this.file.bytes < LARGE_FILE_BYTES) return this.file;
    await this.endFile();
    // A later file implies that every record of this one is on disk.
    this.ensureSound();
    const path = join(this.dir, fileName(this.next));
    const previous = numberOf(this.older.at(-1)?.path ?? fileName(0));
    this.file = await JournalFile.create({ path, previous, beforeAck: this.ensurePresent });
    await syncDirectory(this.dir);
    return this.file;
  }

  private ensureSound(): void {
    const failure = this.failure ?? this.file?.failure ?? null;
    if (failure !== null) throw failure;
  }

  private async endFile(): Promise<void> {
    const ended = this.file;
    if (ended === null) return;
    await ended.close();
    this.failure ??= ended.failure;
    this.file = null;
    this.older.push({ path: ended.path, last: ended.last });
  }
}

/** Records whose files were moved away, or whose tables were replaced by older ones. */
interface MissingRecords {
  readonly count: number;
  /** Name of the first file behind some of them. */
  readonly before: string;
}

interface Folder {
  readonly older: OlderFile[];
  readonly last: number;
  readonly missing: MissingRecords | null;
  readonly cutOff: string | null;
}

interface FileBefore {
  readonly name: string;
  readonly hasRest: boolean;
  readonly isDamaged: boolean;
}

/**
 * Checks the files for lost records. Invalid bytes lose none when the tables or the next file continue without a gap.
 */
async function readFolder(dir: string, names: readonly string[], stored: number): Promise<Folder> {
  const older: OlderFile[] = [];
  let last = stored;
  let before: FileBefore | null = null;
  const gaps: MissingRecords[] = [];
  for (const name of names) {
    const path = join(dir, name);
    const { records, hasRest, isDamaged, previous } = await readJournalFile(path);
    const newest = records.at(-1)?.position ?? 0;
    older.push({ path, last: newest });
    // A file without records has lost none.
    if (newest === 0 && !isDamaged) continue;
    const first = records[0]?.position ?? Infinity;
    if (before !== null && first > last + 1) {
      // A file that is missing completely was moved away by an operator.
      const isNextFile = previous === numberOf(before.name);
      if (before.isDamaged || before.hasRest || isNextFile) throw damaged(before.name);
    }
    if (records.length > 0 && first > last + 1) gaps.push({ count: first - last - 1, before: name });
    last = Math.max(last, newest);
    before = { name, hasRest, isDamaged };
  }
  if (before?.isDamaged === true) throw damaged(before.name);
  return { older, last, missing: sumOf(gaps), cutOff: findCutOff(older, stored) };
}

/** Batches are in the journal before they are in the tables, and files of those that are in the tables are removed. */
function findCutOff(files: readonly OlderFile[], stored: number): string | null {
  const newest = files.findLast(({ last }) => last > 0);
  return newest !== undefined && newest.last < stored ? basename(newest.path) : null;
}

function sumOf(gaps: readonly MissingRecords[]): MissingRecords | null {
  const [first] = gaps;
  return first === undefined ? null : { ...first, count: gaps.reduce((sum, { count }) => sum + count, 0) };
}

function fileName(position: number): string {
  return `${String(position).padStart(16, '0')}.journal`;
}

function numberOf(path: string): number {
  return Number(path.slice(-fileName(0).length).slice(0, 16));
}

interface Aside {
  readonly name: string;
  readonly isComplete: boolean;
}

/**
 * Finds the file for a batch that is set aside. The name of a file is not enough to tell its batch: positions begin
 * again in a new store, whose folder may have files of a former one, for example after a restore.
 */
async function findAside(dir: string, record: JournalRecord): Promise<Aside> {
  const body = Buffer.from(record.body.buffer, record.body.byteOffset, record.body.byteLength);
  for (let number = 1; ; number++) {
    const name = asideName(record, number);
    const kept = await readAside(join(dir, name), body.length);
    if (kept === null) return { name, isComplete: false };
    if (kept !== 'other' && kept.equals(body)) return { name, isComplete: true };
    // What a crash has left of a file is replaced.
    if (kept !== 'other' && kept.equals(body.subarray(0, kept.length))) return { name, isComplete: false };
  }
}

/** @returns null when there is no file; `other` for anything else than a file of at most this size that can be read */
async function readAside(path: string, maxBytes: number): Promise<Buffer | 'other' | null> {
  let handle: FileHandle | null = null;
  try {
    handle = await open(path, READ);
    const found = await handle.stat();
    return found.isFile() && found.size <= maxBytes ? await handle.readFile() : 'other';
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? null : 'other';
  } finally {
    await handle?.close();
  }
}

function asideName({ source, position }: JournalRecord, number: number): string {
  return number === 1 ? `${source}-${position}.rejected` : `${source}-${position}-${number}.rejected`;
}

/** Syncs the directory: only then is the name of a new file on disk. */
async function syncDirectory(dir: string): Promise<void> {
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function damaged(name: string): ServiceError {
  return new ServiceError('backend_unavailable', `the journal of received events is damaged in ${name}`, {
    reason: 'journal_damaged',
    hint: 'move this file out of the journal folder to start without the events in it',
  });
}
