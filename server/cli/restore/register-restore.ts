/** `lqe restore DIR`: restores a backup into an empty data folder, or into ClickHouse. */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { folderOwner } from '../../common/files/folder-owner';
import { makePrivateFolder } from '../../common/files/private-folder';
import { RESTORE_STATE } from '../../common/data-folder/unfinished-restore';
import { type Config, envToConfig, readEnv } from '../../config';
import { withDiskName } from '../backup/backup-error';
import { untilInterrupted } from '../backup/interrupt';
import type { BackupFile, Manifest } from '../backup/files/manifest';
import type { ParquetFiles } from '../backup/events/parquet-files';
import { dataDirOption, endpointsDirOption, sourcesFileOption } from '../file-options';
import { createProgress } from '../import/progress';
import { withOperatorMessage } from '../output/operator-message';
import type { RestoreState } from './restore-state';

interface Flags {
  readonly dataDir: string;
  readonly endpointsDir: string;
  readonly sourcesFile: string;
  readonly dryRun?: boolean;
  readonly only?: 'events' | 'catalog';
  readonly replaceDefinitions?: boolean;
}

interface Restore {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly parquet: ParquetFiles;
  readonly flags: Flags;
  readonly config: Config;
  readonly signal: AbortSignal;
}

export function registerRestore(program: Command): void {
  program
    .command('restore')
    .description('restore a backup into an empty data folder, or into ClickHouse (LQE_STORE=clickhouse)')
    .argument('<folder>', 'the folder of the backup')
    .addOption(dataDirOption('data folder to restore into'))
    .addOption(endpointsDirOption())
    .addOption(sourcesFileOption())
    .option('--dry-run', 'check the backup, and restore nothing')
    .addOption(new Option('--only <part>', 'restore one part').choices(['events', 'catalog']))
    .option('--replace-definitions', 'replace saved queries and sources that differ from those of the backup')
    .addHelpText('after', HELP)
    .action(async (folder: string, flags: Flags) => {
      process.exitCode = await untilInterrupted((signal) => restore(folder, flags, signal));
    });
}

const HELP = `
All checksums are verified before anything is written. A stopped restore continues when it is run again; until it has
ended, no server starts on the data folder.

Exit codes: 0 restored, 1 failed, 130 stopped by Ctrl-C.`;

async function restore(path: string, flags: Flags, signal: AbortSignal): Promise<void> {
  // DuckDB creates its files with the umask of the process.
  process.umask(0o077);
  const { openBackup } = await import('./verify-backup.js');
  const { ParquetFiles } = await import('../backup/events/parquet-files.js');
  const folder = resolve(path);
  const manifest = openBackup(folder);
  const parquet = await ParquetFiles.open(2);
  const config = { ...envToConfig(readEnv(process.env)), files: flags };
  const options: Restore = { folder, manifest, parquet, flags, config, signal };
  try {
    if (flags.dryRun === true) {
      await verify(options);
      console.log(`the backup of ${manifest.created_at} is complete; nothing was restored`);
      return;
    }
    await withOperatorMessage(restoreVerified(options)).catch((error: unknown) => {
      throw withDiskName(flags.dataDir, error);
    });
  } finally {
    parquet.close();
  }
}

async function restoreVerified(options: Restore): Promise<void> {
  const { folder, manifest, flags, config } = options;
  const { lockFolder } = await import('../backup/files/folder-lock.js');
  const { ensureCatalogFits, restoreCatalog } = await import('./restore-catalog.js');
  const { RESTORE_LOCK, RestoreState } = await import('./restore-state.js');
  const target = { config, replacesDefinitions: flags.replaceDefinitions === true };
  const [identity, conflicts] = [identityOf(options), conflictsOf(options)];
  const saved = RestoreState.check(flags.dataDir, identity, conflicts);
  // Again for a restore that was stopped before its end: this call may name other places.
  if (flags.only !== 'events' && saved?.is_catalog_done !== true) await ensureCatalogFits(manifest, target);
  if (saved === null && flags.only !== 'catalog') await ensureEmptyStore(options);
  await verify(options);
  makePrivateFolder(flags.dataDir);
  const unlock = await lockFolder(flags.dataDir, RESTORE_LOCK);
  try {
    const state = await RestoreState.open(flags.dataDir, identity, conflicts);
    if (state.isContinued) console.error('continues the restore that was stopped');
    if (flags.only !== 'events' && !state.isCatalogDone) {
      for (const note of await restoreCatalog(folder, manifest, target, state.isContinued)) console.error(note);
      await state.catalogDone();
      console.log('definitions, tokens and audit logs restored');
    }
    if (flags.only !== 'catalog') await restoreAllEvents(options, state);
    if (process.exitCode === undefined) state.finish();
    const note = noteOnOwner(flags.dataDir);
    if (note !== null) console.error(note);
  } finally {
    unlock();
    for (const name of [RESTORE_LOCK, `${RESTORE_LOCK}.wal`]) rmSync(join(flags.dataDir, name), { force: true });
  }
}

/**
 * A server of another user could not open what root has written: DuckDB makes files by their names, so this process
 * cannot give them away safely.
 */
export function noteOnOwner(dataDir: string): string | null {
  const folder = resolve(dataDir);
  const owner = folderOwner(join(folder, RESTORE_STATE)) ?? folderOwner(folder);
  if (owner === null) return null;
  return `The restored files belong to root. Before the start of a server of another user: chown -R ${owner.uid}:${owner.gid} ${folder}`;
}

async function ensureEmptyStore({ manifest, config }: Restore): Promise<void> {
  const { eventTarget } = await import('./event-target.js');
  await eventTarget(config, manifest.sources, (message) => console.error(message)).ensureEmpty();
}

async function restoreAllEvents(
  { folder, manifest, parquet, config, signal }: Restore,
  state: RestoreState
): Promise<void> {
  const { eventTarget } = await import('./event-target.js');
  const { eventFiles, restoreEvents } = await import('./restore-events.js');
  const total = eventFiles(manifest).reduce((sum, { rows }) => sum + rows, 0);
  const progress = createProgress({ label: 'restore', total });
  const target = eventTarget(config, manifest.sources, (message) => progress.note(message));
  const onProgress = (rows: number): void => progress.update(rows, rows);
  const differences = await restoreEvents({ folder, manifest, target, state, parquet, onProgress, signal }).finally(
    () => progress.stop()
  );
  for (const difference of differences) console.log(difference);
  if (differences.length > 0) {
    await state.storeAgain();
    console.log('the restored events differ from the backup; run it again to store the missing ones');
    process.exitCode = 1;
    return;
  }
  console.log(
    `${total.toLocaleString('en-US')} ${total === 1 ? 'event' : 'events'} restored; counts and checksums of every day are equal`
  );
}

async function verify({ folder, manifest, parquet, flags, signal }: Restore): Promise<void> {
  const { verifyFiles } = await import('./verify-backup.js');
  const isWanted = ({ kind }: BackupFile): boolean =>
    flags.only === undefined || (kind === 'catalog') === (flags.only === 'catalog');
  const files = manifest.files.filter(isWanted);
  const progress = createProgress({ label: 'verify', total: files.reduce((sum, { bytes }) => sum + bytes, 0) });
  const onProgress = (bytes: number, events: number): void => progress.update(bytes, events);
  await verifyFiles(folder, files, parquet, onProgress, signal).finally(() => progress.stop());
}

/** Identifies what is restored, so that another restore does not continue this one. */
function identityOf({ manifest, flags }: Restore): string {
  return createHash('sha256')
    .update(JSON.stringify([manifest, flags.only ?? 'all']))
    .digest('hex');
}

/** Names of the data folder that must not exist. Null: all. */
function conflictsOf({ manifest, flags, config }: Restore): readonly string[] | null {
  if (flags.only === undefined) return null;
  if (flags.only === 'events')
    return config.store === 'clickhouse' ? [] : ['logs.duckdb', 'logs.duckdb.wal', 'journal'];
  return manifest.files.flatMap((file) => {
    if (file.kind !== 'catalog' || /^(sources\.yaml$|endpoints\/|database\/)/.test(file.name)) return [];
    return file.name;
  });
}
