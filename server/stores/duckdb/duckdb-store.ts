/** Log store in one DuckDB file: the public entry of this folder. */
import { mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { ServiceError } from '#contract/errors';
import type { FieldUse, SourceMisfits } from '#contract/queries/description';
import type { IngestResult } from '#contract/queries/result';
import { describeMisfits, describeUse } from '../ingest/fields/describe-fields';
import type { Source } from '#contract/events/source';
import type { Catalog, CatalogPart, CompiledQuery, PartExtent } from '#compiler/store';
import { sourceNotFound } from '#contract/failures';
import type { IngestBatch, LogStore, RefusedFields, StoreHealth, StoreRows } from '../store';
import { Checkpointer } from './file/checkpointer';
import { kindThatFits } from './file/checkpoint-space';
import { ConnectionPool } from './read/connection-pool';
import { type CheckpointKind, type Database, type DatabaseOptions, openDatabase } from './file/database';
import { DataFolder } from './file/data-folder';
import { DuckDbDayExports } from './read/day-exports';
import { createFieldRegistry, removeFields, saveMisfits } from './sources/field-registry';
import { KeptGroups } from './kept-groups/kept-groups';
import { runKept } from './kept-groups/run-kept';
import { loadParts } from './sources/load-parts';
import { type Part, parsePartTable } from './tables/part';
import { partBytes } from './file/part-sizes';
import { PartVersions } from './tables/part-versions';
import { StoreMemory } from './memory/store-memory';
import { IngestPipeline } from './write/ingest-pipeline';
import { LargeRows } from './write/large-rows';
import { isMergeCheap } from './write/merge-cost';
import { ReadThreads } from './file/read-threads';
import { PublishedCatalog } from './sources/published-catalog';
import { ReplacedDays } from './seal/replaced-days';
import { Sealer } from './seal/sealer';
import { SearchFilters } from './search/search-filters';
import { dropLeftovers } from './file/sealed-tables';
import { maxColumnsFor, memoryFault } from './sources/column-memory';
import { SourceState } from './sources/source-state';
import { stagingFolder } from './file/staging-folder';
import { diskFull, isBusy, isDamaged, isInvalidated, openFailure } from './statements/store-errors';
import { allOpenParts, allParts, NO_PARTS, partsOf, storedDays, type StoredParts } from './tables/stored-parts';
import { createStoredPosition } from './sources/stored-position';
import { readTableRows, TableRows } from './file/table-rows';
import { WriteActivity } from './file/write-activity';

export interface DuckDbStoreOptions extends DatabaseOptions {
  readonly sources: readonly Source[];
  /** Resident memory at which the process is ended; see `BusyMemory`. @default no limit */
  readonly rssBudgetMb?: number;
  /** Memory for groups that are kept. @default 0: none are */
  readonly keptCountsMaxBytes?: number;
  /** Memory for search filters that were read. @default 0: no filters */
  readonly searchFiltersMaxBytes?: number;
  /** How long a part must be unchanged before its groups are kept. */
  readonly settledMs?: number;
  /** Minutes without new events after which a past day is sealed. @default never */
  readonly sealAfterMinutes?: number | null;
  /** Free bytes of the disk. @default as the system says */
  readonly freeBytes?: () => Promise<number>;
  /** Free space in the file of the open days from which it is returned after seals. */
  readonly leastFreeBytes?: number;
  /**
   * The process ends when the store is closed. Otherwise the store frees its files at once: what `ReadingConnection`
   * keeps until its garbage is collected would hold them. @default false
   */
  readonly endsWithProcess?: boolean;
  /** Reports problems to the operator. */
  readonly onProblem?: (message: string, cause: unknown) => void;
  readonly onRefusedFields?: (refused: RefusedFields) => void;
  /** DuckDB has invalidated the database: every statement fails until a new process opens it. */
  readonly onBroken?: () => void;
}

/**
 * @throws ServiceError `backend_unavailable` when the file is in use, unreadable or of a newer format, or the journal
 * is damaged.
 */
export async function openDuckDbStore(options: DuckDbStoreOptions): Promise<LogStore> {
  const database = await openDatabase(options).catch((error: unknown) => {
    throw openFailure(error);
  });
  try {
    const connection = await database.connect();
    await createFieldRegistry(connection);
    await createStoredPosition(connection);
    await dropLeftovers(connection);
    const parts = await loadParts(connection, options.sources);
    const states = new Map<string, SourceState>();
    for (const source of options.sources)
      states.set(source.name, await loadState(connection, source, parts.get(source.name), options));
    const journalDir = join(options.dataDir, 'journal');
    await mkdir(journalDir, { recursive: true, mode: 0o700 });
    const folder = await DataFolder.watch([options.dataDir, database.path, database.sealedPath, journalDir]);
    const store = new DuckDbStore(database, folder, states, options);
    await store.open(connection, journalDir, options);
    return store;
  } catch (error) {
    database.close();
    throw openFailure(error);
  }
}

/** @param parts of the source; absent: it has none */
async function loadState(
  connection: DuckDBConnection,
  source: Source,
  parts: StoredParts | undefined,
  { memoryLimitMb, onProblem }: Pick<DuckDbStoreOptions, 'memoryLimitMb' | 'onProblem'>
): Promise<SourceState> {
  const state = await SourceState.load(connection, source, parts, maxColumnsFor(memoryLimitMb));
  const fault = memoryFault(state, memoryLimitMb);
  if (fault !== null) onProblem?.(fault, undefined);
  return state;
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Reads from the file of the open parts. */
async function readFile(connection: DuckDBConnection): Promise<void> {
  await connection.run('SELECT position FROM lqe_journal LIMIT 1');
}

/** A part that gets events all the time has other groups for each query. */
const SETTLED_MS = 5_000;

class DuckDbStore implements LogStore {
  readonly exports: DuckDbDayExports;
  readonly filters: SearchFilters;
  readonly sealing: Sealer;
  private readonly readers: ConnectionPool;
  private readonly threads: ReadThreads;
  private readonly rows: TableRows;
  private readonly kept: KeptGroups;
  private readonly checkpointer: Checkpointer;
  private readonly memory: StoreMemory;
  private readonly published: PublishedCatalog;
  private readonly days: ReplacedDays;
  private readonly versions = new PartVersions();
  private readonly large: LargeRows;
  private readonly writes = new WriteActivity({ begin: () => this.memory.begin(), end: () => this.memory.end() });
  private readonly memoryLimitMb: number;
  private readonly freeBytes: () => Promise<number>;
  private readonly onProblem: (message: string, cause: unknown) => void;
  private readonly onBroken: () => void;
  private pipeline!: IngestPipeline;
  private isClosing = false;
  private isDamaged = false;

  constructor(
    private readonly database: Database,
    private readonly folder: DataFolder,
    private readonly states: Map<string, SourceState>,
    options: DuckDbStoreOptions
  ) {
    const { dataDir, memoryLimitMb, rssBudgetMb = Infinity, onProblem = () => undefined } = options;
    const { keptCountsMaxBytes = 0, settledMs = SETTLED_MS, searchFiltersMaxBytes = 0 } = options;
    this.memoryLimitMb = memoryLimitMb;
    this.freeBytes = options.freeBytes ?? (() => freeBytesOf(dataDir));
    this.onProblem = (message, cause) => {
      this.noteDamage(cause);
      onProblem(message, cause);
    };
    this.large = new LargeRows(memoryLimitMb);
    this.onBroken = options.onBroken ?? (() => undefined);
    const connect = (): Promise<DuckDBConnection> => database.connect();
    const rowsOf = (table: string): number => this.rows.of(table);
    this.readers = new ConnectionPool(connect, options.endsWithProcess === true ? this.writes : null);
    this.rows = new TableRows(() => this.readers.readOnly(readTableRows));
    this.threads = new ReadThreads({
      most: options.threads,
      set: (count) => this.readers.readOnly((connection) => database.setThreads(connection, count)),
      rowsOf,
    });
    const { versions, threads, writes } = this;
    this.exports = new DuckDbDayExports({
      connect,
      threads,
      states,
      catchUp: () => this.pipeline.catchUpCompletely(),
      staging: stagingFolder(dataDir),
      memoryLimitMb,
      memory: { begin: () => this.memory.begin(), end: () => this.memory.end() },
      onFailure: (error) => this.noteDamage(error),
    });
    this.kept = new KeptGroups({ maxBytes: keptCountsMaxBytes, settledMs, versions, connect, threads, writes });
    this.filters = new SearchFilters({
      folder: join(dataDir, 'search'),
      maxBytes: searchFiltersMaxBytes,
      states,
      connect,
      rowsOf,
      onBuilt: (connection) => this.memory.read(connection),
      onProblem: this.onProblem,
    });
    this.published = new PublishedCatalog(states.values());
    this.days = new ReplacedDays({ versions, catalog: this.published, filters: this.filters });
    this.checkpointer = new Checkpointer({
      logPath: database.writeAheadLogPath,
      checkpoint: (kind) => this.pipeline.checkpoint(kind),
      isCaughtUp: () => this.pipeline.isCaughtUp,
      isMergeCheap: () => this.isMergeCheap(),
    });
    this.sealing = this.createSealer(options);
    this.memory = new StoreMemory({
      database,
      readers: this.readers,
      exclusive: (task) => this.pipeline.exclusive(task),
      isNeeded: () => this.sealing.isSealing || this.exports.isInUse,
      memoryLimitMb,
      rssBudgetMb,
    });
  }

  /** @param connection of the writer */
  async open(connection: DuckDBConnection, journalDir: string, options: DuckDbStoreOptions): Promise<void> {
    const { memoryLimitMb, onProblem, onBroken } = this;
    this.pipeline = await IngestPipeline.open({
      connection,
      lookups: await this.database.connect(),
      states: this.states,
      journalDir,
      memoryLimitMb,
      writes: this.writes,
      versions: this.versions,
      large: this.large,
      isMergeCheap: () => this.isMergeCheap(),
      onRows: (table, rows) => this.filters.added(table, rows),
      afterCommit: (writer, rows) => this.memory.committed(writer, rows),
      checkpoint: (writer, kind) => this.makeCheckpoint(writer, kind),
      commitToFile: async (writer) => {
        // A checkpoint removes the log by its path.
        await this.folder.ensurePresent();
        await this.memory.makeRoom();
        if ((await this.kindThatFits('plain')) === null) await writer.run('COMMIT');
        else await this.database.commitToFile(writer);
      },
      ensurePresent: () => this.folder.ensurePresent(),
      events: {
        onGrown: (states) => this.published.publish(states),
        onCommitted: () => {
          this.memory.used();
          void this.checkpointer.batchStored();
        },
        onRefusedFields: options.onRefusedFields ?? (() => undefined),
        onProblem,
        onBroken,
      },
    });
    // Its checkpoints ask for the rows of tables, and its commits start timers of other parts, which use the pipeline.
    await this.rows.refresh();
    await this.large.find(connection, this.openParts(), (table) => this.rows.of(table));
    await this.pipeline.start();
    await this.rows.refresh();
    this.filters.refresh();
    const { sealAfterMinutes = null } = options;
    if (sealAfterMinutes !== null) this.sealing.start(sealAfterMinutes * 60_000);
  }

  catalog(): Catalog {
    return this.published.current;
  }

  extentOf({ table }: CatalogPart): PartExtent | null {
    const name = parsePartTable(table);
    const state = name === null ? undefined : this.states.get(name.source);
    if (name === null || state === undefined) return null;
    const part = partsOf(state, name.day).find((each) => each.table === table);
    return { rows: this.rows.of(table), newestMicros: part?.newestMicros ?? null };
  }

  async execute(query: CompiledQuery, signal: AbortSignal): Promise<StoreRows> {
    this.memory.begin();
    try {
      const { query: narrowed, blocks } = await this.filters.narrow(query, signal);
      const readers = { pool: this.readers, threads: this.threads };
      const rows = await runKept(readers, this.kept, narrowed, signal);
      return blocks === null ? rows : { ...rows, blocks };
    } catch (error) {
      this.noteFailure(error);
      throw error;
    } finally {
      this.memory.end();
      this.memory.used();
    }
  }

  async ingest(batch: IngestBatch): Promise<IngestResult> {
    const state = this.states.get(batch.source);
    if (state === undefined) throw sourceNotFound(batch.source, this.states.keys());
    // A transaction may take longer than the pause after which memory counts as idle.
    this.memory.used();
    return this.pipeline.ingest(state, batch);
  }

  async addSource(source: Source): Promise<void> {
    const { memoryLimitMb, onProblem } = this;
    const state = await this.pipeline.exclusive(async (connection) => {
      if (this.states.has(source.name)) return null;
      // It may have been declared before, and have events.
      const parts = (await loadParts(connection, [source])).get(source.name);
      const loaded = await loadState(connection, source, parts, { memoryLimitMb, onProblem });
      await this.rows.refresh();
      await this.large.find(connection, allOpenParts(loaded), (table) => this.rows.of(table));
      this.states.set(source.name, loaded);
      return loaded;
    });
    if (state === null) return;
    this.published.publish([state]);
    this.filters.refresh();
  }

  async dropEvents(source: Source): Promise<number> {
    return this.pipeline.exclusive(async (connection) => {
      if (this.states.has(source.name)) throw new ServiceError('backend_error', 'The store has this source open.');
      const parts = (await loadParts(connection, [source])).get(source.name) ?? NO_PARTS;
      const days = storedDays(parts);
      for (const day of days) await this.days.dropParts(connection, partsOf(parts, day));
      await removeFields(connection, source.name);
      return days.length;
    });
  }

  catchUp(): Promise<void> {
    return this.pipeline.catchUp();
  }

  get isCaughtUp(): boolean {
    return this.pipeline.isCaughtUp;
  }

  get isFarBehind(): boolean {
    return this.pipeline.isFarBehind;
  }

  async enforceRetention(nowMicros: number): Promise<number> {
    return this.pipeline.exclusive((connection) => this.days.dropExpired(connection, this.states.values(), nowMicros));
  }

  async isEmpty(): Promise<boolean> {
    await this.catchUp();
    // A part is created in the transaction that stores its first events.
    return [...this.states.values()].every((state) => allParts(state).length === 0);
  }

  async health(): Promise<StoreHealth> {
    if (this.isClosing) return { ok: false, reason: 'the store is closed' };
    try {
      await this.folder.ensurePresent();
      await this.readers.readOnly(readFile);
      const { ingestFault } = this.pipeline;
      return { ok: true, ...(ingestFault !== null && { ingestFault }), ...(this.isDamaged && { isDamaged: true }) };
    } catch (error) {
      this.noteFailure(error);
      if (error instanceof ServiceError) return { ok: false, reason: error.message };
      return { ok: false, reason: 'the store does not answer' };
    }
  }

  async sizes(): Promise<ReadonlyMap<string, number>> {
    const sizes = new Map<string, number>();
    for (const [name, state] of this.states) {
      let bytes = 0;
      for (const part of allParts(state)) bytes += await this.sizeOf(part);
      sizes.set(name, bytes);
    }
    return sizes;
  }

  /** A part that was dropped since then counts as 0. */
  private sizeOf(part: Part): Promise<number> {
    return this.readers.readOnly((connection) => partBytes(connection, part)).catch(() => 0);
  }

  misfits(): Readonly<Record<string, SourceMisfits>> {
    return Object.fromEntries([...this.states].map(([name, { tree }]) => [name, describeMisfits(tree)]));
  }

  fieldUse(): Readonly<Record<string, FieldUse>> {
    return Object.fromEntries([...this.states].map(([name, { tree }]) => [name, describeUse(tree)]));
  }

  stats(): Promise<null> {
    return Promise.resolve(null);
  }

  async close(): Promise<void> {
    if (this.isClosing) return;
    this.isClosing = true;
    this.checkpointer.stop();
    this.memory.stop();
    await this.sealing.close();
    await this.filters.close();
    await this.threads.close();
    await Promise.all([this.readers.close(), this.exports.close(), this.kept.close()]);
    await this.pipeline.close();
    this.database.close();
  }

  private createSealer(options: DuckDbStoreOptions): Sealer {
    const { memoryLimitMb, onProblem, onBroken, freeBytes } = this;
    return new Sealer({
      connect: () => this.database.connect(),
      catchUp: () => this.pipeline.catchUp(),
      threads: this.threads,
      writes: this.writes,
      rows: this.rows,
      states: this.states,
      memoryLimitMb,
      alone: (task) => this.exports.whileUnused(() => this.pipeline.alone(task)),
      isExporting: () => this.exports.isInUse,
      replaceParts: (writer, parts, by) => this.days.replaceParts(writer, parts, by),
      onReplaced: (day) => {
        this.days.onSealed(day);
        this.memory.used();
      },
      onProblem,
      onBroken,
      checkpoint: () => this.pipeline.checkpoint('plain'),
      ...(options.leastFreeBytes !== undefined && { leastFreeBytes: options.leastFreeBytes }),
      freeBytes,
    });
  }

  private async makeCheckpoint(connection: DuckDBConnection, kind: CheckpointKind): Promise<void> {
    // A checkpoint replaces the log by its path.
    await this.folder.ensurePresent();
    const possible = await this.kindThatFits(kind);
    if (possible === null) throw diskFull();
    for (const { source, tree } of this.states.values()) await saveMisfits(connection, source.name, tree);
    try {
      await this.database.checkpoint(connection, possible);
    } catch (error) {
      if (!isBusy(error)) await readFile(connection).catch((failure: unknown) => this.noteFailure(failure));
      throw error;
    }
    this.memory.used();
  }

  private kindThatFits(wanted: CheckpointKind): Promise<CheckpointKind | null> {
    return kindThatFits(wanted, { logPath: this.database.writeAheadLogPath, freeBytes: this.freeBytes });
  }

  /** Asks for another process where DuckDB refuses to read the files in this one. */
  private noteFailure(error: unknown): void {
    this.noteDamage(error);
    if (!isInvalidated(error) || this.isClosing) return;
    this.onProblem('the files of the store cannot be read any more; another process opens them', error);
    this.onBroken();
  }

  /** Reports damage once: it stays until a backup is restored. */
  private noteDamage(error: unknown): void {
    if (this.isDamaged || !isDamaged(error)) return;
    this.isDamaged = true;
    this.onProblem(
      'a file of the store is damaged: what reads the damaged block fails; restore a backup, or run "lqe store drop-damaged"',
      error
    );
  }

  private isMergeCheap(): boolean {
    // A seal makes checkpoints of its own, which would merge, too.
    if (this.sealing.isSealing) return false;
    return isMergeCheap(this.openParts(), (table) => this.rows.of(table), this.memoryLimitMb, this.large);
  }

  private openParts(): readonly Part[] {
    return [...this.states.values()].flatMap(allOpenParts);
  }
}
