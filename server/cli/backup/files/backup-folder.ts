/**
 * Folder of a backup. New files get new names, so an interrupted backup leaves the last complete one as it is; files
 * that the new manifest does not name are removed after it is in place.
 */
import { existsSync, lstatSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BackupError } from '../backup-error';
import { LOCK_FILE, lockFolder } from './folder-lock';
import { type BackupFile, type Manifest, MANIFEST, readManifest, UNFINISHED, writeManifest } from './manifest';
import { makePrivateFolder } from '../../../common/files/private-folder';
import { digestFile, type FileDigest, makeParent, syncFile, syncFolder } from './private-copy';

const CONTENT_FOLDERS = ['events', 'catalog'];
/** Time between two saves of the list of finished files, as a multiple of the time of a save. */
const SAVE_PAUSE = 20;

type Head = Omit<Manifest, 'files'>;

export class BackupFolder {
  private readonly files: BackupFile[] = [];
  private head: Head | null = null;
  private nextSaveAt = 0;

  private constructor(
    readonly path: string,
    /** Files of the last complete backup, and of one that was interrupted. */
    readonly known: readonly BackupFile[],
    private readonly identity: string | null,
    private readonly unlock: () => void
  ) {}

  /** @throws BackupError when the folder has other contents, or another backup uses it */
  static async open(path: string): Promise<BackupFolder> {
    makePrivateFolder(path);
    if (!existsSync(join(path, MANIFEST)) && !existsSync(join(path, UNFINISHED))) {
      const other = readdirSync(path).find((name) => !name.startsWith(LOCK_FILE));
      if (other !== undefined) {
        throw new BackupError(
          `${path} has other files (${other}) and no backup. Name an empty folder, or one that does not exist.`
        );
      }
    }
    const unlock = await lockFolder(path);
    try {
      const complete = readManifest(path);
      const unfinished = readUnfinished(path);
      const known = [...(complete?.files ?? []), ...(unfinished?.files ?? [])];
      return new BackupFolder(path, known, (complete ?? unfinished)?.store.identity ?? null, unlock);
    } catch (error) {
      unlock();
      throw error;
    }
  }

  /** Begins a backup. @throws BackupError when the folder is of another store */
  async begin(head: Head): Promise<void> {
    if (this.identity !== null && this.identity !== head.store.identity) {
      throw new BackupError(`${this.path} has a backup of another store. Name another folder.`);
    }
    this.head = head;
    await this.save();
  }

  /** A known file that still exists with its size. */
  find<F extends BackupFile>(isWanted: (file: BackupFile) => file is F): F | undefined {
    return this.known.filter(isWanted).find(({ path, bytes }) => {
      const facts = lstatSync(join(this.path, path), { throwIfNoEntry: false });
      return facts?.isFile() === true && facts.size === bytes;
    });
  }

  /** Path of a new file that is not part of the backup until `adopt`. An earlier attempt at it is removed. */
  temporary(path: string): string {
    const file = join(this.path, `${path}.tmp`);
    makeParent(file);
    for (const name of readdirSync(dirname(file))) {
      const leftover = join(dirname(file), name);
      if (leftover === file || leftover.startsWith(`${file}.`)) rmSync(leftover);
    }
    return file;
  }

  /** Makes a written file durable and gives it its name. @param nameOf path by digest, relative to the folder */
  async adopt(
    temporary: string,
    nameOf: (digest: FileDigest) => string
  ): Promise<{ readonly path: string } & FileDigest> {
    await syncFile(temporary);
    const digest = await digestFile(temporary, false);
    const path = nameOf(digest);
    makeParent(join(this.path, path));
    renameSync(temporary, join(this.path, path));
    await syncFolder(dirname(join(this.path, path)));
    return { path, ...digest };
  }

  async add(file: BackupFile): Promise<void> {
    this.files.push(file);
    if (performance.now() >= this.nextSaveAt) await this.save();
  }

  /** Saves the list of finished files, so that the next backup continues. */
  async save(): Promise<void> {
    if (this.head === null) return;
    const startedAt = performance.now();
    const paths = new Set(this.files.map(({ path }) => path));
    // An earlier interrupted backup may have more of them.
    const others = this.known.filter(({ path }) => !paths.has(path) && paths.add(path));
    await writeManifest(this.path, { ...this.head, files: [...this.files, ...others] }, UNFINISHED);
    const endedAt = performance.now();
    this.nextSaveAt = endedAt + SAVE_PAUSE * (endedAt - startedAt);
  }

  /** Replaces the manifest, then removes what it does not name. */
  async complete(): Promise<void> {
    await writeManifest(this.path, { ...this.head!, files: this.files });
    rmSync(join(this.path, UNFINISHED), { force: true });
    const named = new Set(this.files.map(({ path }) => path));
    for (const folder of CONTENT_FOLDERS) removeOthers(this.path, folder, named);
  }

  close(): void {
    this.unlock();
  }
}

function readUnfinished(path: string): Manifest | null {
  try {
    return readManifest(path, UNFINISHED);
  } catch {
    // An unreadable one costs work only: all files are copied again.
    return null;
  }
}

function removeOthers(root: string, folder: string, named: ReadonlySet<string>): void {
  const path = join(root, folder);
  if (!(lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false)) return;
  for (const name of readdirSync(path)) {
    const child = `${folder}/${name}`;
    if (lstatSync(join(root, child)).isDirectory()) removeOthers(root, child, named);
    else if (!named.has(child)) rmSync(join(root, child));
  }
  if (readdirSync(path).length === 0) rmdirSync(path);
}
