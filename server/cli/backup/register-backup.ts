/** `lqe backup DIR`: writes the events, definitions, tokens and audit logs of a store to a folder. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Source } from '#contract/events/source';
import { storeIdentity } from '../../app/store/store-identity';
import type { Database } from '../../catalog/database/database';
import { openCatalog } from '../../catalog/database/open-catalog';
import { readRevisions, readStoredSet } from '../../catalog/database/stored-definitions';
import { parseSources } from '../../catalog/definitions/load-sources';
import { existingServerKey, keyFingerprint, loadServerKey } from '../../catalog/tokens/secrets/server-key';
import { VERSION } from '../../common/version';
import { type Config, envToConfig, readEnv } from '../../config';
import { allSources, sourcesInCatalog } from '../all-sources';
import { withDiskName } from './backup-error';
import type { BackupFolder } from './files/backup-folder';
import type { EventSource } from './events/event-source';
import type { EventsSummary } from './events/write-events';
import { dataDirOption, endpointsDirOption, sourcesFileOption } from '../file-options';
import { createProgress, type Progress } from '../import/progress';
import { counted } from '../output/counted';
import { withOperatorMessage } from '../output/operator-message';
import { untilInterrupted } from './interrupt';

interface Flags {
  readonly dataDir: string;
  readonly endpointsDir: string;
  readonly sourcesFile: string;
  readonly skipDamaged?: true;
}

interface WriteOptions {
  readonly skipsDamaged: boolean;
  readonly signal: AbortSignal;
}

/** A running server comes first where processors are short. */
const BACKGROUND_PRIORITY = 10;

export function registerBackup(program: Command): void {
  program
    .command('backup')
    .description('write events, definitions, tokens and audit logs to a folder; also while the server runs')
    .argument('<folder>', 'a new or empty folder, or one with an earlier backup of this store')
    .addOption(dataDirOption())
    .addOption(endpointsDirOption())
    .addOption(sourcesFileOption())
    .option(
      '--skip-damaged',
      'leave out days that the store cannot read; those of an earlier backup in the folder stay'
    )
    .addHelpText('after', HELP)
    .action(async (folder: string, flags: Flags) => {
      process.exitCode = await untilInterrupted((signal) => backup(folder, flags, signal));
    });
}

const HELP = `
Only the days that changed since the last backup into this folder are written. A stopped backup continues when it is run
again; the last complete one stays usable until the new one is complete.

Exit codes: 0 complete, 1 failed, 130 stopped by Ctrl-C.`;

async function backup(path: string, flags: Flags, signal: AbortSignal): Promise<void> {
  // DuckDB creates its files with the umask of the process.
  process.umask(0o077);
  const { BackupFolder } = await import('./files/backup-folder.js');
  const base = envToConfig(readEnv(process.env));
  const { skipDamaged = false, ...files } = flags;
  const config = { ...base, files };
  const folder = await BackupFolder.open(path);
  try {
    await withOperatorMessage(backupTo(folder, config, { skipsDamaged: skipDamaged, signal })).catch(
      (error: unknown) => {
        throw withDiskName(path, error);
      }
    );
  } finally {
    folder.close();
  }
}

async function backupTo(folder: BackupFolder, config: Config, options: WriteOptions): Promise<void> {
  const { catalog, files, serverKey } = config;
  const { ensureDefinitions, ensureServed } = await import('./catalog/catalog-files.js');
  if (catalog === null) ensureDefinitions(files);
  const hasKey = serverKey !== null || existsSync(join(files.dataDir, 'server.key'));
  const fingerprint = hasKey ? keyFingerprint(loadServerKey(files.dataDir, serverKey)) : null;
  const database = catalog && (await openCatalog(catalog.url, existingServerKey(files.dataDir, serverKey)));
  try {
    const source = await openEvents(config, database, options.signal);
    try {
      if (source.served !== null) ensureServed(catalog === null ? files : null, source.served);
      const createdAt = new Date().toISOString();
      await folder.begin({
        format: 1,
        program: VERSION,
        created_at: createdAt,
        store: { kind: config.store, identity: createHash('sha256').update(storeIdentity(config)).digest('hex') },
        catalog: { kind: database ? 'database' : 'files', key_fingerprint: fingerprint },
        sources: [...source.sources],
      });
      const summary = await writeAllEvents(folder, source, options).catch(async (error: unknown) => {
        await folder.save();
        throw error;
      });
      const run = `${createdAt.replace(/[-:]|\.\d+/g, '')}-${randomBytes(3).toString('hex')}`;
      const count = await writeCatalog(folder, config, database, run);
      await folder.complete();
      report(summary, count);
    } finally {
      await source.close();
    }
  } finally {
    await database?.close();
  }
}

async function openEvents(config: Config, database: Database | null, signal: AbortSignal): Promise<EventSource> {
  // Loaded here, because these modules load a store, which the other commands do not need.
  if (config.store === 'clickhouse') {
    const { openClickHouseEvents } = await import('./events/clickhouse-events.js');
    return openClickHouseEvents(config.clickhouse, await declaredSources(config, database), signal);
  }
  const { openEmbeddedEvents } = await import('./events/embedded-events.js');
  const { memoryLimitMb } = config.engine;
  const declared = (): Promise<readonly Source[]> => declaredSources(config, database);
  return openEmbeddedEvents({ dataDir: config.files.dataDir, memoryLimitMb, declared, signal });
}

async function declaredSources({ files }: Config, database: Database | null): Promise<readonly Source[]> {
  if (database === null) return allSources(files);
  const { sources } = await readStoredSet(database, (await readRevisions(database)).definitions);
  const ofApi = await sourcesInCatalog(database);
  return [...parseSources(sources.file, sources.text, ofApi), ...ofApi];
}

async function writeAllEvents(
  folder: BackupFolder,
  source: EventSource,
  options: WriteOptions
): Promise<EventsSummary> {
  const { writeEvents } = await import('./events/write-events.js');
  let progress: Progress | null = null;
  try {
    return await writeEvents(
      folder,
      source,
      {
        onTotal: (total) => {
          if (total > 0) setPriority(process.pid, BACKGROUND_PRIORITY);
          progress = createProgress({ label: 'backup', total });
          for (const name of source.stored.undeclared) {
            progress.note(`The events of ${name} are left out: there is no such source any more.`);
          }
        },
        onRows: (rows) => progress?.update(rows, rows),
      },
      options
    );
  } finally {
    (progress as Progress | null)?.stop();
  }
}

async function writeCatalog(
  folder: BackupFolder,
  { files, serverKey }: Config,
  database: Database | null,
  run: string
): Promise<number> {
  const { catalogFiles } = await import('./catalog/catalog-files.js');
  const { writeCatalogFiles, writeCatalogTables } = await import('./catalog/write-catalog.js');
  const places = { dataDir: files.dataDir, files: database === null ? files : null, hasKeyFile: serverKey === null };
  const count = await writeCatalogFiles(folder, catalogFiles(places), run);
  return database === null ? count : count + (await writeCatalogTables(folder, database, run));
}

function report({ days, rows, writtenDays, writtenBytes, damaged }: EventsSummary, catalogCount: number): void {
  for (const { name, isKept } of damaged) {
    const outcome = isKept ? 'stay as in an earlier backup' : 'are left out';
    console.error(`The events of ${name} ${outcome}: a file of the store is damaged.`);
  }
  const size = `${(writtenBytes / 1e6).toFixed(1)} MB`;
  console.log(
    `backup complete: ${counted(rows, 'event')} of ${counted(days, 'day')}, ${writtenDays} of them written (${size}), ` +
      `and ${counted(catalogCount, 'file')} of definitions, tokens and audit`
  );
}
