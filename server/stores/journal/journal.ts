/**
 * Batches on disk from their acknowledgement until they are in the tables. Records go to the end of the newest of a few files; a file is
 * removed once all its records are in the tables.
 */
import { access, type FileHandle, mkdir, open, readdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '#contract/errors';
import { decodeRecords, encodeRecord, type JournalEntry, type JournalRecord } from './journal-record';

/** A file that has grown so large is not written to any more. */
const LARGE_FILE_BYTES = 32 * 1024 * 1024;
const FILE_PATTERN = /^(\d{16})\.journal$/;

interface JournalFile {
  readonly path: string;
  /** Position of its newest record. */
  last: number;
}

interface OpenFile extends JournalFile {
  readonly handle: FileHandle;
  bytes: number;
}

export interface Appended {
  readonly position: number;
  /** Resolves when the record is on disk. */
  readonly synced: Promise<void>;
}

export class Journal {
  private readonly dir: string;
  /** Oldest first. */
  private older: JournalFile[];
  private file: OpenFile | null = null;
  private next: number;
  /** Set for good by a failure after which nobody knows what is on disk. */
  private failure: Error | null = null;
  private runningSync: Promise<void> = Promise.resolve();
  /** A sync that has not begun and serves every record written before it does. */
  private waitingSync: Promise<void> | null = null;

  private constructor(dir: string, older: JournalFile[], next: number) {
    this.dir = dir;
    this.older = older;
    this.next = next;
  }

  /**
   * @param stored position up to which the tables hold everything.
   * @throws ServiceError `backend_unavailable` with `reason: journal_damaged` when a later record is missing or unreadable.
   */
  static async open(dir: string, stored: number): Promise<Journal> {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const older: JournalFile[] = [];
    let last = stored;
    /** The file before, when it does not end with a whole record. */
    let unfinished: string | null = null;
    for (const name of (await readdir(dir)).filter((entry) => FILE_PATTERN.test(entry)).sort()) {
      const path = join(dir, name);
      const { records, hasRest, isDamaged } = decodeRecords(await readFile(path));
      if (isDamaged) throw damaged(name);
      const first = records[0]?.position ?? 0;
      // A file that is missing altogether was taken away by somebody.
      if (first > last + 1 && unfinished !== null) throw damaged(unfinished);
      last = Math.max(last, records.at(-1)?.position ?? 0);
      unfinished = hasRest ? name : null;
      older.push({ path, last: records.at(-1)?.position ?? 0 });
    }
    const journal = new Journal(dir, older, last + 1);
    await journal.release(stored);
    return journal;
  }

  /**
   * Writes a record; one call at a time. A record that could not be written leaves nothing behind.
   * @throws the failure of the file system
   */
  async append(entry: JournalEntry): Promise<Appended> {
    if (this.failure !== null) throw this.failure;
    const file = await this.fileToWrite();
    const position = this.next;
    const record = encodeRecord({ ...entry, position });
    try {
      await file.handle.appendFile(record);
    } catch (error) {
      await file.handle.truncate(file.bytes).catch(() => this.fail(error as Error));
      throw error;
    }
    file.bytes += record.length;
    file.last = position;
    this.next++;
    return { position, synced: this.sync(file) };
  }

  /** Records after a position, oldest first. */
  async *read(after: number): AsyncGenerator<JournalRecord> {
    const files = this.file === null ? this.older : [...this.older, this.file];
    for (const { path, last } of files) {
      if (last <= after) continue;
      for (const record of decodeRecords(await readFile(path)).records) if (record.position > after) yield record;
    }
  }

  /** The tables hold everything up to a position. */
  async release(stored: number): Promise<void> {
    const done = this.older.filter(({ last }) => last <= stored);
    this.older = this.older.filter(({ last }) => last > stored);
    for (const { path } of done) await unlink(path);
  }

  /** Keeps a batch that the tables cannot take: its body, to be looked at and sent again. @returns the name of the file. */
  async setAside(record: JournalRecord): Promise<string> {
    const name = asideName(record);
    await writeFile(join(this.dir, name), record.body, { mode: 0o600, flush: true });
    return name;
  }

  async isSetAside(record: JournalRecord): Promise<boolean> {
    return access(join(this.dir, asideName(record))).then(
      () => true,
      () => false
    );
  }

  /** Leaves no file behind when the tables hold everything. */
  async close(stored: number): Promise<void> {
    await this.endFile();
    await this.release(stored);
  }

  private async fileToWrite(): Promise<OpenFile> {
    if (this.file !== null && this.file.bytes < LARGE_FILE_BYTES) return this.file;
    await this.endFile();
    const path = join(this.dir, `${String(this.next).padStart(16, '0')}.journal`);
    const handle = await open(path, 'w', 0o600);
    // A file of that name was one without a whole record.
    this.older = this.older.filter((file) => file.path !== path);
    this.file = { path, handle, bytes: 0, last: 0 };
    await syncDirectory(this.dir);
    return this.file;
  }

  private async endFile(): Promise<void> {
    const ended = this.file;
    if (ended === null) return;
    await (this.waitingSync ?? this.runningSync).catch(() => undefined);
    this.file = null;
    this.older.push({ path: ended.path, last: ended.last });
    await ended.handle.close();
  }

  private sync({ handle }: OpenFile): Promise<void> {
    if (this.waitingSync !== null) return this.waitingSync;
    const sync = this.runningSync.then(async () => {
      this.waitingSync = null;
      if (this.failure !== null) throw this.failure;
      await handle.datasync().catch((error: unknown) => this.fail(error as Error));
    });
    this.waitingSync = sync;
    this.runningSync = sync.catch(() => undefined);
    return sync;
  }

  /** A second sync after one that failed may say that all is well when it is not. */
  private fail(error: Error): never {
    this.failure ??= error;
    throw error;
  }
}

function asideName({ source, position }: JournalRecord): string {
  return `${source}-${position}.rejected`;
}

/** The name of a new file is on disk only after its directory is. */
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
