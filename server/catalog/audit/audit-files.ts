/**
 * Audit trail of one data folder: JSON lines, one file for each month. Server and command line append to it. A line
 * that a crash cut short is skipped when reading.
 */
import { lchownSync, mkdirSync } from 'node:fs';
import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type AuditEntry, auditEntrySchema } from '#contract/changes/audit';
import { errorCode } from '../../common/caught-error';
import { folderOwner } from '../../common/files/folder-owner';
import { type AuditFilter, type AuditLog, type AuditPage, fitsFilter } from './audit-log';

const FOLDER = 'audit';
const FILE_NAME = /^(\d{4}-\d{2})\.jsonl$/;
const CURSOR = /^(\d{4}-\d{2}):(\d{1,15})$/;
/** Lines that one page reads at most, so that a rare match does not take long. */
const MAX_LINES_READ = 5000;
const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

export class AuditFiles implements AuditLog {
  private readonly folder: string;

  constructor(dataDir: string) {
    this.folder = join(dataDir, FOLDER);
  }

  async append(entry: AuditEntry): Promise<void> {
    this.makeFolder();
    const handle = await openToAppend(this.fileOf(entry.time.slice(0, 7)));
    try {
      const separator = (await endsWithLine(handle)) ? '' : '\n';
      await handle.appendFile(`${separator}${JSON.stringify(entry)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  async read(before: string | null, limit: number, filter?: AuditFilter): Promise<AuditPage | null> {
    const cursor = before === null ? null : CURSOR.exec(before);
    if (before !== null && cursor === null) return null;
    const newest = cursor?.[1] ?? filter?.until?.slice(0, 7) ?? '9999-99';
    const oldest = filter?.since?.slice(0, 7) ?? '';
    const months = (await this.months()).filter((month) => month <= newest && month >= oldest).reverse();
    const entries: AuditEntry[] = [];
    let linesRead = 0;
    for (const month of months) {
      const end = month === cursor?.[1] ? Number(cursor[2]) : Infinity;
      for await (const { text, start } of linesBackwards(this.fileOf(month), end)) {
        const entry = parseEntry(text);
        if (entry !== null && (filter === undefined || fitsFilter(entry, filter))) entries.push(entry);
        linesRead += 1;
        if (entries.length === limit || linesRead === MAX_LINES_READ) return { entries, next: `${month}:${start}` };
      }
    }
    return { entries, next: null };
  }

  async expire(before: Date): Promise<void> {
    const oldestKept = before.toISOString().slice(0, 7);
    for (const month of await this.months()) if (month < oldestKept) await rm(this.fileOf(month), { force: true });
  }

  private makeFolder(): void {
    if (mkdirSync(this.folder, { recursive: true, mode: 0o700 }) === undefined) return;
    const owner = folderOwner(this.folder);
    if (owner !== null) lchownSync(this.folder, owner.uid, owner.gid);
  }

  private async months(): Promise<readonly string[]> {
    const names = await readdir(this.folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    return names.flatMap((name) => FILE_NAME.exec(name)?.[1] ?? []).sort();
  }

  private fileOf(month: string): string {
    return join(this.folder, `${month}.jsonl`);
  }
}

/** Only a file that is made here gets an owner: another name may be a link that leads elsewhere. */
async function openToAppend(file: string): Promise<FileHandle> {
  try {
    const handle = await open(file, 'ax+', 0o600);
    const owner = folderOwner(file);
    if (owner !== null) await handle.chown(owner.uid, owner.gid);
    return handle;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return open(file, 'a+');
    throw error;
  }
}

/** Whether the file is empty or its last line is complete. */
async function endsWithLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  await handle.read(last, 0, 1, size - 1);
  return last[0] === NEWLINE;
}

interface Line {
  readonly text: string;
  /** Offset of its first byte. */
  readonly start: number;
}

/** Yields the lines before the offset, last line first. */
async function* linesBackwards(file: string, before: number): AsyncGenerator<Line> {
  const handle = await open(file, 'r');
  try {
    let start = Math.min(before, (await handle.stat()).size);
    let rest: Buffer = Buffer.alloc(0);
    while (start > 0) {
      const length = Math.min(CHUNK_BYTES, start);
      const chunk = Buffer.alloc(length);
      await handle.read(chunk, 0, length, start - length);
      start -= length;
      rest = Buffer.concat([chunk, rest]);
      for (let at = rest.lastIndexOf(NEWLINE, -2); at >= 0; at = rest.lastIndexOf(NEWLINE, -2)) {
        yield { text: rest.toString('utf8', at + 1), start: start + at + 1 };
        rest = rest.subarray(0, at + 1);
      }
    }
    if (rest.length > 0) yield { text: rest.toString('utf8'), start: 0 };
  } finally {
    await handle.close();
  }
}

function parseEntry(line: string): AuditEntry | null {
  try {
    return auditEntrySchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
