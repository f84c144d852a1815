/**
 * Repository of one data folder: `saved-queries/<id>/<revision>.yaml`, or `sources/…`. A file appears under its name
 * only when it is whole and on disk, and is never written again.
 */
import { randomBytes } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AuditEntry } from '#contract/changes/audit';
import type { RevisionFacts } from '#contract/changes/revision';
import { UUID_PATTERN } from '#contract/queries/saved-query';
import type { AuditLog } from '../audit/audit-log';
import { DefinitionsError } from '../definitions/definition-problem';
import type { RevisionKind } from './kind';
import { type RepositoryChanges, RevisionConflictError, type RevisionRepository } from './repository';
import { factsOf, formatRevision, parseRevision, type StoredRevision } from './revision-text';
import { errorCode } from '../../common/caught-error';

const FILE_NAME = /^([1-9]\d{0,8})\.yaml$/;
/** Larger than any file that the server writes. */
const MAX_FILE_BYTES = 2 * 1024 * 1024;
/**
 * Nothing else writes to the folder while a server runs, so one read at the start finds everything but failed changes.
 */
const READ = 'read';

export class RevisionFolder implements RevisionRepository {
  private readonly folder: string;
  /** Whether the folder may have a revision whose change has failed: it is read again. */
  private mayHaveMore = false;

  constructor(
    dataDir: string,
    private readonly audit: Pick<AuditLog, 'append'>,
    readonly kind: RevisionKind
  ) {
    this.folder = join(dataDir, kind.folder);
  }

  placeOf({ id, revision }: Pick<RevisionFacts, 'id' | 'revision'>): string {
    return this.fileOf(id, revision);
  }

  async changesSince(cursor: string | null): Promise<RepositoryChanges> {
    const isWhole = cursor !== READ || this.mayHaveMore;
    const heads = isWhole ? this.readHeads() : [];
    this.mayHaveMore = false;
    return { heads, unreadable: [], isWhole, cursor: READ };
  }

  /** The entry of the audit trail is written first: no change may happen without one. */
  async append(revision: StoredRevision, entry: AuditEntry): Promise<void> {
    const file = this.fileOf(revision.id, revision.revision);
    const folder = dirname(file);
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const temporary = join(folder, `.${randomBytes(6).toString('hex')}.tmp`);
    try {
      await writeDurably(temporary, formatRevision(revision, this.kind.noun));
      await this.audit.append(entry);
      this.mayHaveMore = true;
      await linkOnce(temporary, file);
    } finally {
      await rm(temporary, { force: true });
    }
    for (const changed of [folder, this.folder, dirname(this.folder)]) await syncFolder(changed);
    this.mayHaveMore = false;
  }

  async read(id: string, revision: number): Promise<StoredRevision | null> {
    const file = this.fileOf(id, revision);
    try {
      const stored = parseRevision(await readFile(file, 'utf8'));
      if (stored) return stored;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
    throw this.damaged(file);
  }

  async history(id: string, before: number | null, limit: number): Promise<readonly RevisionFacts[]> {
    const names = await readdir(join(this.folder, id)).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    const page = revisionsOf(names)
      .filter((revision) => before === null || revision < before)
      .sort((a, b) => b - a)
      .slice(0, limit);
    const found = await Promise.all(page.map((revision) => this.read(id, revision)));
    return found.flatMap((stored) => (stored ? [factsOf(stored)] : []));
  }

  private readHeads(): readonly StoredRevision[] {
    return listFolders(this.folder).flatMap((id) => {
      const newest = revisionsOf(readdirSync(join(this.folder, id))).reduce((a, b) => Math.max(a, b), 0);
      return newest === 0 ? [] : [this.readHead(id, newest)];
    });
  }

  private readHead(id: string, revision: number): StoredRevision {
    const file = this.fileOf(id, revision);
    const { size } = statSync(file);
    const stored = size > MAX_FILE_BYTES ? null : parseRevision(readFileSync(file, 'utf8'));
    if (stored?.id !== id || stored.revision !== revision) throw this.damaged(file);
    return stored;
  }

  private damaged(file: string): DefinitionsError {
    const reason = `is not a whole revision of a ${this.kind.noun}; restore it from a backup, or move its folder away to start without it`;
    return new DefinitionsError([{ file, line: 1, column: 1, reason }]);
  }

  private fileOf(id: string, revision: number): string {
    return join(this.folder, id, `${revision}.yaml`);
  }
}

function listFolders(folder: string): readonly string[] {
  let entries: readonly Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
  return entries.filter((entry) => entry.isDirectory() && UUID_PATTERN.test(entry.name)).map(({ name }) => name);
}

function revisionsOf(names: readonly string[]): number[] {
  return names.flatMap((name) => {
    const revision = FILE_NAME.exec(name)?.[1];
    return revision === undefined ? [] : [Number(revision)];
  });
}

async function linkOnce(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw new RevisionConflictError();
    throw error;
  }
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT';
}
