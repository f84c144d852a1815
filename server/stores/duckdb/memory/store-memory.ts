/** Gives memory back at the times when the store needs less of it: under load, when idle, and after a load. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Database } from '../file/database';
import type { ConnectionPool } from '../read/connection-pool';
import { BusyMemory } from './busy-memory';
import { CachedBlocks } from './cached-blocks';
import { IdleMemory } from './idle-memory';

/** Reading the blocks of a day again costs less than a tenth of a second. */
const CACHE_IDLE_MS = 30_000;

export interface StoreMemoryOptions {
  readonly database: Pick<Database, 'cachedBytes' | 'dropCache' | 'giveBackMemory'>;
  readonly readers: Pick<ConnectionPool, 'readOnly' | 'whileUnused'>;
  /** Runs a task on the writer's connection while nothing is written. */
  readonly exclusive: (task: (writer: DuckDBConnection) => Promise<void>) => Promise<void>;
  /** Whether a seal or a backup may need the memory now. */
  readonly isNeeded: () => boolean;
  readonly memoryLimitMb: number;
  /** Resident memory at which the process is ended. */
  readonly rssBudgetMb: number;
}

export class StoreMemory {
  private readonly busy: BusyMemory;
  private readonly idle: readonly IdleMemory[];
  private readonly blocks: CachedBlocks;

  constructor({ database, readers, exclusive, isNeeded, memoryLimitMb, rssBudgetMb }: StoreMemoryOptions) {
    const giveBack = (): Promise<void> => readers.readOnly((connection) => database.giveBackMemory(connection));
    // Asked again here: a seal may have begun while the drop waited for the writer.
    const drop = (connection: DuckDBConnection): Promise<void> =>
      isNeeded() ? Promise.resolve() : readers.whileUnused(() => database.dropCache(connection));
    this.busy = new BusyMemory({ giveBack, budgetBytes: rssBudgetMb * 1024 * 1024 });
    const cache = new IdleMemory(async () => {
      // A long seal uses the store neither for a query nor for a commit.
      if (isNeeded()) cache.used();
      else await exclusive(drop);
    }, CACHE_IDLE_MS);
    this.idle = [new IdleMemory(giveBack), cache];
    const cachedBytes = (connection: DuckDBConnection): Promise<number> => database.cachedBytes(connection);
    this.blocks = new CachedBlocks({ cachedBytes, drop, exclusive, isNeeded, memoryLimitMb });
  }

  /** To be called before each query and before the writer works; `end` after it. */
  begin(): void {
    this.busy.begin();
  }

  end(): void {
    this.busy.end();
  }

  /** To be called before a commit that takes much memory. */
  makeRoom(): Promise<void> {
    return this.busy.makeRoom();
  }

  /** To be called after each query, commit and checkpoint. */
  used(): void {
    this.busy.used();
    for (const memory of this.idle) memory.used();
  }

  /** To be called on the writer's connection after each commit. @param rows of the transaction */
  committed(writer: DuckDBConnection, rows: number): Promise<void> {
    return this.blocks.committed(writer, rows);
  }

  /** To be called after a day was read for no query. */
  read(connection: DuckDBConnection): Promise<void> {
    return this.blocks.read(connection);
  }

  stop(): void {
    this.busy.stop();
    for (const memory of this.idle) memory.stop();
  }
}
