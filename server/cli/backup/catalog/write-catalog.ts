/** Writes the catalog to a backup: files as they are, tables of a database as one file of JSON lines each. */
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../../catalog/database/database';
import { readTables } from '../../../catalog/database/table-rows';
import { BackupError } from '../backup-error';
import type { BackupFolder } from '../files/backup-folder';
import type { LocalFile } from './catalog-files';
import { type BackupFile, type CatalogFile, isInside } from '../files/manifest';
import { copyPrivate, digestFile, type FileDigest } from '../files/private-copy';
import { errorCode, failedPath } from '../../../common/caught-error';

/** @param run name of the folder of changed files. @returns the number of files */
export async function writeCatalogFiles(
  folder: BackupFolder,
  files: readonly LocalFile[],
  run: string
): Promise<number> {
  let count = 0;
  for (const { name, path } of files) {
    if (!isInside(name)) throw new BackupError(`The name of ${path} cannot be part of a backup. Rename the file.`);
    try {
      const digest = await digestFile(path, true);
      const target = `catalog/${run}/${name}`;
      if (!(await reuse(folder, name, digest))) {
        const temporary = folder.temporary(target);
        await copyPrivate(path, temporary);
        await folder.add({ kind: 'catalog', name, ...(await folder.adopt(temporary, () => target)) });
      }
      count++;
    } catch (error) {
      // Removed since it was listed.
      const isMissing = errorCode(error) === 'ENOENT' && failedPath(error) === path;
      if (!isMissing) throw error;
    }
  }
  return count;
}

/** @returns the number of tables */
export async function writeCatalogTables(folder: BackupFolder, database: Database, run: string): Promise<number> {
  const tables: string[] = [];
  await readTables(database, async (table, rows) => {
    const temporary = join(folder.path, `catalog/${run}/database/${table}.jsonl.tmp`);
    if (!tables.includes(table)) {
      tables.push(table);
      folder.temporary(`catalog/${run}/database/${table}.jsonl`);
    }
    const handle = await open(temporary, 'a', 0o600);
    await handle.writeFile(rows.map((row) => `${row}\n`).join('')).finally(() => handle.close());
  });
  for (const table of tables) {
    const name = `database/${table}.jsonl`;
    const target = `catalog/${run}/${name}`;
    const temporary = join(folder.path, `${target}.tmp`);
    if (await reuse(folder, name, await digestFile(temporary, false))) await rm(temporary);
    else await folder.add({ kind: 'catalog', name, ...(await folder.adopt(temporary, () => target)) });
  }
  return tables.length;
}

/** Adds the file of an earlier backup when it has the same contents. */
async function reuse(folder: BackupFolder, name: string, { bytes, sha256 }: FileDigest): Promise<boolean> {
  const same = folder.find(
    (file: BackupFile): file is CatalogFile =>
      file.kind === 'catalog' && file.name === name && file.bytes === bytes && file.sha256 === sha256
  );
  if (same === undefined) return false;
  await folder.add(same);
  return true;
}
