/** Checks every file of a backup before anything is restored. */
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BackupError } from '../backup/backup-error';
import { isCatalogName } from '../backup/catalog/catalog-files';
import { dayText } from '../backup/events/day-pieces';
import { type BackupFile, type EventFile, type Manifest, MANIFEST, readManifest } from '../backup/files/manifest';
import type { ParquetFiles } from '../backup/events/parquet-files';
import { digestFile } from '../backup/files/private-copy';

/** @throws Error when the folder has no complete backup that this program can restore */
export function openBackup(folder: string): Manifest {
  const manifest = readManifest(folder);
  if (manifest === null) throw new BackupError(`${folder} has no complete backup (${MANIFEST}).`);
  const names = new Set<string>();
  for (const file of manifest.files) {
    const name = nameOf(file);
    if (names.has(name)) throw new BackupError(`The backup has ${name} twice.`);
    names.add(name);
    if (file.kind === 'catalog' && !isCatalogName(file.name)) {
      throw new BackupError(
        `The backup has a file that this program does not know: ${file.name}. Use a newer version.`
      );
    }
    if (file.kind === 'events' && !manifest.sources.some((source) => source.name === file.source)) {
      throw new BackupError(`The backup has events of ${file.source}, but does not declare this source.`);
    }
  }
  return manifest;
}

/**
 * Compares sizes and checksums, and the row counts of event files.
 * @param onProgress bytes and events that are checked
 * @throws BackupError that names the first file that differs
 */
export async function verifyFiles(
  folder: string,
  files: readonly BackupFile[],
  parquet: ParquetFiles,
  onProgress: (bytes: number, events: number) => void,
  signal: AbortSignal
): Promise<void> {
  let [bytes, events] = [0, 0];
  for (const file of files) {
    signal.throwIfAborted();
    const path = join(folder, file.path);
    ensureRegular(folder, path, file.bytes);
    const digest = await digestFile(path, false, signal);
    if (digest.bytes !== file.bytes || digest.sha256 !== file.sha256) throw damaged(path, 'its checksum differs');
    if (file.kind === 'events') {
      const rows = await parquet.countRows(path);
      if (rows !== file.rows) throw damaged(path, `it has ${rows} events instead of ${file.rows}`);
      events += rows;
    }
    bytes += file.bytes;
    onProgress(bytes, events);
  }
}

/** A link in the folder could lead anywhere. */
function ensureRegular(folder: string, path: string, bytes: number): void {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) throw damaged(path, 'it is missing');
  for (let parent = dirname(path); parent !== folder && parent.startsWith(folder); parent = dirname(parent)) {
    if (!lstatSync(parent).isDirectory()) throw damaged(parent, 'it is not a folder');
  }
  if (!facts.isFile()) throw damaged(path, 'it is not a regular file');
  if (facts.size !== bytes) throw damaged(path, `it has ${facts.size} bytes instead of ${bytes}`);
}

function nameOf(file: BackupFile): string {
  if (file.kind === 'events') return dayName(file);
  return file.kind === 'catalog' ? file.name : 'the fields';
}

export function dayName({ source, day }: Pick<EventFile, 'source' | 'day'>): string {
  return `${source}/${dayText(day)}`;
}

function damaged(path: string, why: string): BackupError {
  return new BackupError(`${path} is damaged: ${why}. Nothing was restored; use another backup.`);
}
