/** Opens the database file and disables every feature of DuckDB that the store does not need. */
import { access, constants } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isNativeError } from 'node:util/types';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { ServiceError } from '#contract/errors';
import { errorCode } from '../../../common/caught-error';
import { makePrivateFolder } from '../../../common/files/private-folder';
import { diskFull, isDiskFull } from '../statements/store-errors';
import { SEALED_DATABASE } from '../tables/part';
import { quoteText } from '../tables/quoting';
import { removeCutOff } from './cut-off-file';
import { FORMAT_FIRST, loadFormat, NEWEST_FORMAT, raiseFormat } from './format-version';
import { createSealedTables } from './sealed-tables';
import { emptyStagingFolder, stagingFolder } from './staging-folder';

/**
 * Rows of a row group of open parts: until it is full, its rows are in memory as they are. Can be chosen for an
 * attached file only (DuckDB 1.5.6), so the first database of the process is one in memory.
 */
export const ROW_GROUP_ROWS = 30_720;
/** The same of sealed parts, of which DuckDB skips those without wanted values. */
const SEALED_ROW_GROUP_ROWS = 32_768;

/** The first version that compresses texts with zstd. */
const STORAGE_VERSION = 'v1.5.0';

const MIB = 1024 * 1024;
/** While cached blocks are dropped, the memory limit is what is in use and this share of the limit. */
const CACHE_DROP_DIVISOR = 16;

/** Fallback only: `Checkpointer` makes the checkpoints, not a caller's commit. */
const CHECKPOINT_THRESHOLD = '4GiB';
/** Any commit of events exceeds it. */
const COMMIT_THRESHOLD = '1KiB';

/**
 * Merges of row groups in each table at a checkpoint, for which the writer waits. One writes up to four row groups
 * again (measured: 0.8 s with 50 full columns), and all that are worth it may be a whole day.
 */
const MERGES = { plain: 0, merging: 1 } as const;

/** Whether a checkpoint merges small row groups, also in tables that were not written to. */
export type CheckpointKind = keyof typeof MERGES;

/** The database in memory, for what can be computed again from the files. DuckDB names it. */
export const MEMORY_DATABASE = 'memory';
/** Name under which the file of the open parts is attached. Names without a database are looked up there. */
const OPEN_DATABASE = 'logs';

export interface DatabaseOptions {
  readonly dataDir: string;
  readonly memoryLimitMb: number;
  readonly threads: number;
}

export interface Database {
  readonly path: string;
  /** File of the sealed parts. */
  readonly sealedPath: string;
  readonly writeAheadLogPath: string;
  connect(): Promise<DuckDBConnection>;
  /**
   * Commits the transaction of a connection with a checkpoint instead of a copy in the write-ahead log, which DuckDB
   * writes only when a checkpoint is impossible at that moment.
   */
  commitToFile(connection: DuckDBConnection): Promise<void>;
  /** Moves the write-ahead log into the file. */
  checkpoint(connection: DuckDBConnection, kind: CheckpointKind): Promise<void>;
  /** Number of threads for all statements. Resolves when those that are to end have finished their work. */
  setThreads(connection: DuckDBConnection, threads: number): Promise<void>;
  /** Returns freed memory to the operating system. */
  giveBackMemory(connection: DuckDBConnection): Promise<void>;
  /**
   * Returns cached blocks, too, but for a sixteenth of the memory limit. Statements that need more than that in a few
   * milliseconds may find too little memory.
   */
  dropCache(connection: DuckDBConnection): Promise<void>;
  /** Bytes of blocks of the files that are in memory. */
  cachedBytes(connection: DuckDBConnection): Promise<number>;
  close(): void;
}

/** Files that this process has open: DuckDB's file lock excludes other processes, but not this one. */
const openPaths = new Set<string>();

/** @throws ServiceError `backend_unavailable` when the file is in use, unreadable or of a newer format. */
export async function openDatabase({ dataDir, memoryLimitMb, threads }: DatabaseOptions): Promise<Database> {
  makePrivateFolder(dataDir);
  const path = resolve(dataDir, 'logs.duckdb');
  const sealedPath = resolve(dataDir, 'sealed.duckdb');
  if (openPaths.has(path)) throw inUse();
  openPaths.add(path);
  try {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: `${memoryLimitMb}MiB`,
      threads: String(threads),
      temp_directory: join(resolve(dataDir), 'temp'),
      max_temp_directory_size: '16GiB',
      allow_community_extensions: 'false',
      autoload_known_extensions: 'false',
      autoinstall_known_extensions: 'false',
      checkpoint_threshold: CHECKPOINT_THRESHOLD,
      max_vacuum_tasks: String(MERGES.plain),
    });
    try {
      await openFiles(instance, { path, sealedPath, dataDir });
    } catch (error) {
      instance.closeSync();
      throw error;
    }
    return {
      path,
      sealedPath,
      writeAheadLogPath: `${path}.wal`,
      connect: () => connectTo(instance),
      commitToFile,
      checkpoint,
      setThreads: async (connection, count) => {
        await connection.run(`SET GLOBAL threads = ${count}`);
      },
      giveBackMemory: async (connection) => {
        await connection.run(`SET GLOBAL memory_limit = ${quoteText(`${memoryLimitMb}MiB`)}`);
      },
      cachedBytes: async (connection) => (await memoryUse(connection)).cached,
      dropCache: async (connection) => {
        const { cached, other } = await memoryUse(connection);
        const room = memoryLimitMb / CACHE_DROP_DIVISOR;
        if (cached / MIB <= room) return;
        const least = Math.min(memoryLimitMb, Math.ceil(other / MIB + room));
        await connection.run(
          `SET GLOBAL memory_limit = '${least}MiB'; SET GLOBAL memory_limit = ${quoteText(`${memoryLimitMb}MiB`)}`
        );
      },
      close: () => {
        instance.closeSync();
        openPaths.delete(path);
      },
    };
  } catch (error) {
    openPaths.delete(path);
    throw error;
  }
}

async function connectTo(instance: DuckDBInstance): Promise<DuckDBConnection> {
  const connection = await instance.connect();
  await connection.run(`USE ${OPEN_DATABASE}`);
  return connection;
}

interface Files {
  /** File of the open parts. */
  readonly path: string;
  readonly sealedPath: string;
  readonly dataDir: string;
}

async function openFiles(instance: DuckDBInstance, { path, sealedPath, dataDir }: Files): Promise<void> {
  const connection = await instance.connect();
  try {
    // The store makes the last checkpoint itself, and only while the path still leads to this file: a checkpoint
    // removes the log by its path.
    await connection.run('PRAGMA disable_checkpoint_on_shutdown');
    await attachOpen(connection, path);
    await connection.run(`USE ${OPEN_DATABASE}`);
    // The file is locked now, so no other process uses the staging folder.
    emptyStagingFolder(dataDir);
    await ensureKnownFormat(connection);
    await attachSealed(connection, sealedPath);
    // Leaves out `disabled_filesystems`: with it DuckDB cannot write its own write-ahead log, and every commit fails.
    // In this order, and not among the options of the instance: DuckDB refuses a list there, and the list is fixed as
    // soon as external access is off.
    await connection.run(`SET GLOBAL allowed_directories = [${quoteText(`${stagingFolder(dataDir)}/`)}]`);
    await connection.run('SET GLOBAL enable_external_access = false');
    await connection.run(`SET GLOBAL TimeZone = 'UTC'`);
    // Up to this number of newest rows are found by their order columns alone, and only their long texts are read. The
    // default of 50 decompresses the metadata of a whole day for a page of 100 (70 ms against 12 ms, 1.4 M events per
    // day).
    await connection.run('SET GLOBAL late_materialization_max_rows = 10000');
    // Rows of a page are then read by their numbers. Above the limit (50 by default) DuckDB reads by a Bloom filter,
    // whose few false hits lie in other vectors, each of which is decompressed in all columns of a sealed day's
    // metadata.
    await connection.run('SET GLOBAL dynamic_or_filter_threshold = 500');
    // `giveBackMemory`, `commitToFile`, `setThreads` and `checkpoint` set them.
    const changed = ['memory_limit', 'checkpoint_threshold', 'threads', 'max_vacuum_tasks'];
    await connection.run(`SET GLOBAL allowed_configs = [${changed.map(quoteText).join(', ')}]`);
    await connection.run('SET GLOBAL lock_configuration = true');
  } finally {
    connection.closeSync();
  }
}

async function checkpoint(connection: DuckDBConnection, kind: CheckpointKind): Promise<void> {
  if (kind === 'plain') {
    await connection.run('CHECKPOINT');
    return;
  }
  await connection.run(`SET GLOBAL max_vacuum_tasks = ${MERGES[kind]}`);
  await connection.run('CHECKPOINT').finally(() => connection.run(`SET GLOBAL max_vacuum_tasks = ${MERGES.plain}`));
}

/** DuckDB 1.5 skips its log for a commit that exceeds the threshold of automatic checkpoints. */
async function commitToFile(connection: DuckDBConnection): Promise<void> {
  const reset = `SET GLOBAL checkpoint_threshold = ${quoteText(CHECKPOINT_THRESHOLD)}`;
  try {
    await connection.run(`SET GLOBAL checkpoint_threshold = ${quoteText(COMMIT_THRESHOLD)}; COMMIT; ${reset}`);
  } catch (error) {
    await connection.run(reset).catch(() => undefined);
    throw error;
  }
}

/** @returns bytes of blocks of the files, and of everything else that counts towards the memory limit */
async function memoryUse(connection: DuckDBConnection): Promise<{ cached: number; other: number }> {
  const sql = `SELECT sum(memory_usage_bytes) FILTER (WHERE tag = 'BASE_TABLE')::DOUBLE,
    sum(memory_usage_bytes) FILTER (WHERE tag <> 'BASE_TABLE')::DOUBLE FROM duckdb_memory()`;
  const [[cached = 0, other = 0] = []] = (await connection.runAndReadAll(sql)).getRows();
  return { cached: Number(cached), other: Number(other) };
}

/** @throws ServiceError for a file of a newer version */
async function ensureKnownFormat(connection: DuckDBConnection): Promise<void> {
  const version = await loadFormat(connection);
  if (version === null) await raiseFormat(connection, FORMAT_FIRST);
  else if (version > NEWEST_FORMAT) throw newerFormat(version);
  await createSealedTables(connection);
}

/** Opens the file of the open parts, or creates it. */
async function attachOpen(connection: DuckDBConnection, path: string): Promise<void> {
  try {
    await attach(connection, path, { name: OPEN_DATABASE, rowGroupRows: ROW_GROUP_ROWS });
  } catch (error) {
    const text = isNativeError(error) ? error.message : '';
    if (text.includes('Could not set lock')) throw inUse();
    throw await notOpened('a store file (logs.duckdb)', path, error);
  }
}

/** Opens the file of the sealed parts, or creates it. */
async function attachSealed(connection: DuckDBConnection, path: string): Promise<void> {
  try {
    await attach(connection, path, { name: SEALED_DATABASE, rowGroupRows: SEALED_ROW_GROUP_ROWS });
  } catch (error) {
    throw await notOpened('a file of sealed days (sealed.duckdb)', path, error);
  }
}

interface Attached {
  readonly name: string;
  readonly rowGroupRows: number;
}

async function attach(connection: DuckDBConnection, path: string, { name, rowGroupRows }: Attached): Promise<void> {
  const options = `ROW_GROUP_SIZE ${rowGroupRows}, STORAGE_VERSION ${quoteText(STORAGE_VERSION)}`;
  await connection.run(`ATTACH ${quoteText(path)} AS ${name} (${options})`);
}

async function notOpened(what: string, path: string, cause: unknown): Promise<ServiceError> {
  if (isDiskFull(cause)) {
    removeCutOff(path);
    return diskFull(cause);
  }
  const message = `the data directory holds ${what} that cannot be opened`;
  const hint = (await isForbidden(path)) ? 'the user of the server must be able to read and write it' : hintFor(cause);
  return new ServiceError('backend_unavailable', message, hint === null ? {} : { hint }, { cause });
}

/** What to do about failures of DuckDB, by its texts. */
const OPEN_HINTS: readonly (readonly [RegExp, string])[] = [
  [/Corrupt|replaying WAL|Could not read enough bytes/, 'it is damaged: restore a backup'],
  [/not a valid DuckDB/, 'another program wrote it: restore a backup'],
  [/Too many open files/, 'raise the limit of open files (ulimit -n)'],
];

function hintFor(cause: unknown): string | null {
  const text = isNativeError(cause) ? cause.message : '';
  return OPEN_HINTS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** Whether the file or its folder belongs to another user, as after a start by root. */
async function isForbidden(path: string): Promise<boolean> {
  const file = await access(path, constants.R_OK | constants.W_OK).catch(errorCode);
  const folder = await access(dirname(path), constants.W_OK).catch(errorCode);
  return [file, folder].some((code) => code === 'EACCES' || code === 'EROFS');
}

function inUse(): ServiceError {
  return new ServiceError('backend_unavailable', 'the data directory is in use by another process', {
    reason: 'in_use',
  });
}

function newerFormat(version: number): ServiceError {
  return new ServiceError(
    'backend_unavailable',
    `the store file has format ${version}, but this version reads format ${NEWEST_FORMAT}`,
    { reason: 'format_version' }
  );
}
