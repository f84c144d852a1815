/** Restores definitions, tokens and audit logs: files to their places, tables to an empty database. */
import { createReadStream, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { openDatabase } from '../../catalog/database/database';
import { initializeCatalog } from '../../catalog/database/schema';
import { replaceTables, ROWS_PER_STATEMENT } from '../../catalog/database/table-rows';
import { keyFingerprint, loadServerKey } from '../../catalog/tokens/secrets/server-key';
import { folderOwner } from '../../common/files/folder-owner';
import type { Config } from '../../config';
import { BackupError } from '../backup/backup-error';
import type { CatalogFile, Manifest } from '../backup/files/manifest';
import { copyPrivate, digestFile, makeParent, syncFolder } from '../backup/files/private-copy';

export interface CatalogTarget {
  readonly config: Pick<Config, 'files' | 'catalog' | 'serverKey'>;
  /** Definitions with other contents are replaced. */
  readonly replacesDefinitions: boolean;
}

/** @throws BackupError when the catalog of the backup does not fit the settings, or a definition would be lost */
export async function ensureCatalogFits(manifest: Manifest, target: CatalogTarget): Promise<void> {
  const { catalog, serverKey, files } = target.config;
  const { kind, key_fingerprint: wanted } = manifest.catalog;
  if ((kind === 'database') !== (catalog !== null)) {
    throw new BackupError(
      kind === 'database'
        ? 'The catalog of this backup was in PostgreSQL. Set LQE_CATALOG_URL to an empty database.'
        : 'The catalog of this backup is in files, but LQE_CATALOG_URL is set. Unset it, or restore with --only events.'
    );
  }
  const hasKeyFile = catalogFiles(manifest).some(({ name }) => name === 'server.key');
  if (serverKey !== null && wanted !== null && keyFingerprint(loadServerKey(files.dataDir, serverKey)) !== wanted) {
    throw new BackupError(
      'LQE_SERVER_KEY is not the key of the backup, so no token would be valid. Set the former key.'
    );
  }
  if (serverKey === null && wanted !== null && !hasKeyFile) {
    throw new BackupError('The server key is not in the backup. Set LQE_SERVER_KEY to the key of the former server.');
  }
  if (target.replacesDefinitions) return;
  for (const { name, path, sha256 } of definitionFiles(manifest, target)) {
    if (!existsSync(path) || (await digestFile(path, true)).sha256 === sha256) continue;
    throw new BackupError(
      `${path} differs from ${name} of the backup. Name other places with --endpoints-dir and --sources-file, or replace it with --replace-definitions.`
    );
  }
}

/** @param isContinued an earlier call was stopped. @returns notes for the operator */
export async function restoreCatalog(
  folder: string,
  manifest: Manifest,
  target: CatalogTarget,
  isContinued: boolean
): Promise<readonly string[]> {
  const { config } = target;
  for (const file of catalogFiles(manifest)) {
    if (file.name.startsWith('database/') || (file.name === 'server.key' && config.serverKey !== null)) continue;
    await restoreFile(join(folder, file.path), file, placeOf(file.name, target));
  }
  if (config.catalog !== null) await restoreTables(folder, manifest, config, isContinued);
  return notesOn(manifest, target);
}

function catalogFiles({ files }: Manifest): readonly CatalogFile[] {
  return files.filter((file) => file.kind === 'catalog');
}

function definitionFiles(manifest: Manifest, target: CatalogTarget) {
  return catalogFiles(manifest)
    .filter(({ name }) => name === 'sources.yaml' || name.startsWith('endpoints/'))
    .map(({ name, sha256 }) => ({ name, sha256, path: placeOf(name, target) }));
}

function placeOf(name: string, { config: { files } }: CatalogTarget): string {
  if (name === 'sources.yaml') return files.sourcesFile;
  if (name.startsWith('endpoints/')) return join(files.endpointsDir, name.slice('endpoints/'.length));
  return join(files.dataDir, name);
}

/** The file is checked again while it is copied. */
async function restoreFile(from: string, { bytes, sha256 }: CatalogFile, to: string): Promise<void> {
  makeParent(to);
  const temporary = `${to}.restore.tmp`;
  rmSync(temporary, { force: true });
  const copied = await copyPrivate(from, temporary, folderOwner(to));
  if (copied.bytes !== bytes || copied.sha256 !== sha256) {
    rmSync(temporary);
    throw new BackupError(`${from} changed while it was restored. Run the command again.`);
  }
  renameSync(temporary, to);
  await syncFolder(dirname(to));
}

async function restoreTables(
  folder: string,
  manifest: Manifest,
  { catalog, serverKey, files }: CatalogTarget['config'],
  isContinued: boolean
): Promise<void> {
  const database = await openDatabase(catalog!.url);
  try {
    await initializeCatalog(database, keyFingerprint(loadServerKey(files.dataDir, serverKey)));
    const tables = catalogFiles(manifest)
      .filter(({ name }) => name.startsWith('database/'))
      .map(({ name, path }) => ({
        table: name.slice('database/'.length, -'.jsonl'.length),
        rows: readRows(join(folder, path)),
      }));
    await replaceTables(database, tables, isContinued);
  } finally {
    await database.close();
  }
}

async function* readRows(path: string): AsyncGenerator<readonly string[]> {
  let rows: string[] = [];
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    if (line !== '') rows.push(line);
    if (rows.length < ROWS_PER_STATEMENT) continue;
    yield rows;
    rows = [];
  }
  yield rows;
}

function notesOn(manifest: Manifest, target: CatalogTarget): readonly string[] {
  const { endpointsDir } = target.config.files;
  if (manifest.catalog.kind === 'database' || !existsSync(endpointsDir)) return [];
  const known = new Set(catalogFiles(manifest).map(({ name }) => name));
  const others = readdirSync(endpointsDir).filter((name) => /\.ya?ml$/i.test(name) && !known.has(`endpoints/${name}`));
  if (others.length === 0) return [];
  return [
    `${endpointsDir} has saved queries that are not in the backup, and they stay: ${others.slice(0, 5).join(', ')}`,
  ];
}
