/** The current journal file: records are appended, and one sync serves all records that were written before it. */
import { constants, fstatSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { createFileHead, encodeMark, encodeRecord, type RecordPlace } from './journal-layout';
import type { JournalEntry } from './journal-record';
import { toError } from '../../common/caught-error';

/** Flags for a new file. A symbolic link at its path is not followed. */
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const OWNER_ONLY = 0o600;
/** Delay of a mark; the next record of a busy sender contains the synced size itself. */
const MARK_AFTER_MS = 100;

export interface NewFile {
  readonly path: string;
  readonly previous: number;
  /** Runs before each acknowledgment; its failure prevents it. */
  readonly beforeAck: () => Promise<void>;
}

export class JournalFile {
  readonly path: string;
  /** Position of the newest record; 0: no record. */
  last = 0;
  bytes: number;
  private readonly handle: FileHandle;
  private readonly tag: Buffer;
  private readonly beforeAck: () => Promise<void>;
  private syncedBytes: number;
  /** The first failure after which the content of the disk is unknown; permanent. */
  private broken: Error | null = null;
  /** Serializes the writing of records and marks. */
  private writing: Promise<unknown> = Promise.resolve();
  private runningSync: Promise<void> = Promise.resolve();
  /** A sync that has not begun; it serves every record written before it begins. */
  private waitingSync: Promise<void> | null = null;
  private markTimer: NodeJS.Timeout | null = null;

  private constructor({ path, beforeAck }: NewFile, handle: FileHandle, tag: Buffer, bytes: number) {
    this.path = path;
    this.beforeAck = beforeAck;
    this.handle = handle;
    this.tag = tag;
    this.bytes = this.syncedBytes = bytes;
  }

  /** Resolves when the head is on disk; the name of the file is not, until the directory is synced. */
  static async create(file: NewFile): Promise<JournalFile> {
    const handle = await open(file.path, CREATE, OWNER_ONLY);
    try {
      const { tag, bytes } = createFileHead(file.previous);
      await writeAll(handle, bytes, 0);
      await handle.sync();
      return new JournalFile(file, handle, tag, bytes.length);
    } catch (error) {
      await handle.close();
      await unlink(file.path).catch(() => undefined);
      throw error;
    }
  }

  get failure(): Error | null {
    return this.broken;
  }

  /** Appends a record. A failed write is truncated. @throws the failure of the file system */
  async append(position: number, entry: JournalEntry): Promise<void> {
    await this.inTurn(async () => {
      await this.write(encodeRecord(this.place(), position, entry));
      this.last = position;
    });
  }

  /** Resolves when every record written before is on disk, and the file still has its name and its size. */
  sync(): Promise<void> {
    if (this.waitingSync !== null) return this.waitingSync;
    const sync = this.runningSync.then(async () => {
      this.waitingSync = null;
      if (this.broken !== null) throw this.broken;
      await this.syncNow().catch((error: unknown) => this.fail(toError(error)));
    });
    this.waitingSync = sync;
    this.runningSync = sync.catch(() => undefined);
    return sync;
  }

  /** Waits for pending writes, and closes the file. */
  async close(): Promise<void> {
    await (this.waitingSync ?? this.runningSync).catch(() => undefined);
    if (this.markTimer !== null) clearTimeout(this.markTimer);
    await this.inTurn(() => this.mark());
    await this.handle.close();
  }

  private async syncNow(): Promise<void> {
    const { bytes } = this;
    await this.handle.datasync();
    const { nlink, size } = fstatSync(this.handle.fd);
    if (nlink === 0) throw new Error(`The journal file ${this.path} was deleted while it was written to.`);
    if (size < bytes) throw new Error(`The journal file ${this.path} was truncated while it was written to.`);
    await this.beforeAck();
    this.syncedBytes = bytes;
    if (this.markTimer !== null) clearTimeout(this.markTimer);
    this.markTimer = setTimeout(() => void this.inTurn(() => this.mark()), MARK_AFTER_MS).unref();
  }

  /** Writes the synced size after the last record of a burst; a record after a sync contains it itself. */
  private async mark(): Promise<void> {
    if (this.broken !== null || this.last === 0 || this.bytes > this.syncedBytes) return;
    // The record is safe without the mark; a full disk is reported by the next write.
    await this.write(encodeMark(this.place())).catch(() => undefined);
  }

  private place(): RecordPlace {
    return { tag: this.tag, offset: this.bytes, synced: this.syncedBytes };
  }

  private async write(bytes: Buffer): Promise<void> {
    // Synchronous: the kernel has the size in memory.
    const { size } = fstatSync(this.handle.fd);
    if (size !== this.bytes) this.fail(new Error(`The journal file ${this.path} was changed by another program.`));
    try {
      await writeAll(this.handle, bytes, this.bytes);
    } catch (error) {
      await this.handle.truncate(this.bytes).catch(() => this.fail(toError(error)));
      throw error;
    }
    this.bytes += bytes.length;
  }

  private inTurn(task: () => Promise<void>): Promise<void> {
    const done = this.writing.then(task);
    this.writing = done.catch(() => undefined);
    return done;
  }

  /** Permanent: a second sync after a failed one may report success although data is lost. */
  private fail(error: Error): never {
    this.broken ??= error;
    throw error;
  }
}

async function writeAll(handle: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, at + done);
    done += bytesWritten;
  }
}
