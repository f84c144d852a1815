/** Logs in one DuckDB file. The public door of this folder. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { ServiceError } from '#contract/errors';
import type { IngestResult } from '#contract/result';
import type { Source } from '#contract/source';
import type { Catalog, CatalogSource } from '../../compiler/catalog';
import type { CompiledQuery } from '../../compiler/compiled-query';
import { nearestName } from '../../nearest-name';
import { MICROS_PER_DAY } from '../ingest/timestamp';
import type { IngestBatch, LogStore, StoreHealth, StoreRows } from '../store';
import { BatchWriter } from './batch-writer';
import { buildCatalog, describeSource } from './build-catalog';
import { Checkpointer } from './checkpointer';
import { ConnectionPool } from './connection-pool';
import { type Database, type DatabaseOptions, openDatabase } from './database';
import { createFieldRegistry, saveMisfits } from './field-registry';
import { loadParts } from './load-parts';
import { quoteName } from './quoting';
import { runQuery } from './query-runner';
import { SerialQueue } from './serial-queue';
import { SourceState } from './source-state';
import { translateError } from './store-errors';

export interface DuckDbStoreOptions extends DatabaseOptions {
  readonly sources: readonly Source[];
}

/** @throws ServiceError `backend_unavailable` when the file is in use, unreadable or of a newer format. */
export async function openDuckDbStore(options: DuckDbStoreOptions): Promise<LogStore> {
  const database = await openDatabase(options);
  try {
    const connection = await database.connect();
    await createFieldRegistry(connection);
    const parts = await loadParts(connection, options.sources);
    const states = new Map<string, SourceState>();
    for (const source of options.sources) {
      const state = await SourceState.load(connection, source);
      state.parts = parts.get(source.name) ?? new Map();
      states.set(source.name, state);
    }
    return new DuckDbStore(database, connection, states);
  } catch (error) {
    database.close();
    throw translateError(error, false);
  }
}

class DuckDbStore implements LogStore {
  private readonly database: Database;
  /** Of the writer; used only by tasks of the queue. */
  private readonly connection: DuckDBConnection;
  private readonly states: ReadonlyMap<string, SourceState>;
  private readonly writer: BatchWriter;
  private readonly readers: ConnectionPool;
  private readonly queue = new SerialQueue();
  private readonly checkpointer: Checkpointer;
  private readonly described = new Map<string, CatalogSource>();
  private current: Catalog;
  private isClosing = false;

  constructor(database: Database, connection: DuckDBConnection, states: ReadonlyMap<string, SourceState>) {
    this.database = database;
    this.connection = connection;
    this.states = states;
    this.writer = new BatchWriter(connection);
    this.readers = new ConnectionPool(() => database.connect());
    this.checkpointer = new Checkpointer(database.writeAheadLogPath, () => this.queue.run(() => this.checkpoint()));
    for (const state of states.values()) this.described.set(state.source.name, describeSource(state));
    this.current = buildCatalog([...this.described.values()]);
  }

  catalog(): Catalog {
    return this.current;
  }

  execute(query: CompiledQuery, signal: AbortSignal): Promise<StoreRows> {
    return runQuery(this.readers, query, signal);
  }

  async ingest(batch: IngestBatch): Promise<IngestResult> {
    const state = this.states.get(batch.source);
    if (state === undefined) throw unknownSource(batch.source, [...this.states.keys()]);
    const result = await this.queue.run(() => this.write(state, batch));
    // Not awaited: the batch is on disk, and its caller need not wait for a checkpoint.
    void this.checkpointer.batchStored();
    return result;
  }

  async enforceRetention(nowMicros: number): Promise<number> {
    return this.queue.run(async () => {
      let dropped = 0;
      for (const state of this.states.values()) {
        dropped += await this.dropOldParts(state, nowMicros - state.source.retention_days * MICROS_PER_DAY);
      }
      return dropped;
    });
  }

  async isEmpty(): Promise<boolean> {
    // A part is made in the transaction that stores its first events.
    return [...this.states.values()].every((state) => state.parts.size === 0);
  }

  async health(): Promise<StoreHealth> {
    if (this.isClosing) return { ok: false, reason: 'the store is closed' };
    try {
      await this.readers.readOnly((connection) => connection.run('SELECT 1'));
      return { ok: true };
    } catch {
      return { ok: false, reason: 'the store does not answer' };
    }
  }

  async close(): Promise<void> {
    if (this.isClosing) return;
    this.isClosing = true;
    this.checkpointer.stop();
    await this.readers.close();
    await this.queue.run(async () => {
      await this.checkpoint().catch(() => undefined);
      this.writer.close();
      this.database.close();
    });
  }

  private async write(state: SourceState, batch: IngestBatch): Promise<IngestResult> {
    if (this.isClosing) throw new ServiceError('backend_unavailable', 'the store is closed');
    try {
      const { result, hasNewSchema } = await this.writer.write(state, batch);
      if (hasNewSchema) this.publish(state);
      return result;
    } catch (error) {
      throw translateError(error, false);
    }
  }

  private async dropOldParts(state: SourceState, oldestMicros: number): Promise<number> {
    const old = [...state.parts.values()].filter((part) => (part.day + 1) * MICROS_PER_DAY <= oldestMicros);
    for (const part of old) {
      await this.connection.run(`DROP TABLE ${quoteName(part.table)}`).catch((error: unknown) => {
        throw translateError(error, false);
      });
      state.parts = new Map([...state.parts].filter(([day]) => day !== part.day));
      this.publish(state);
    }
    return old.length;
  }

  private async checkpoint(): Promise<void> {
    for (const { source, tree } of this.states.values()) await saveMisfits(this.connection, source.name, tree);
    await this.connection.run('CHECKPOINT');
  }

  private publish(state: SourceState): void {
    this.described.set(state.source.name, describeSource(state));
    this.current = buildCatalog([...this.described.values()]);
  }
}

function unknownSource(name: string, known: readonly string[]): ServiceError {
  const suggestion = nearestName(name, known);
  return new ServiceError(
    'source_not_found',
    `there is no source "${name}"`,
    suggestion === undefined ? {} : { hint: `did you mean "${suggestion}"?` }
  );
}
