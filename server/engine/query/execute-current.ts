/** Execution of a query whose tables may change between its compilation and its execution. */
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '#contract/errors';
import type { CompiledQuery } from '#compiler';
import { atItsPlace, type Catalog } from '#compiler/store';
import type { LogStore, StoreRows } from '../../stores/store';
import type { Stopwatch } from './stopwatch';

/**
 * A part is dropped from the store shortly before it is removed from the catalog, and several days may be sealed one
 * after the other.
 */
const MAX_ATTEMPTS = 4;
const CATALOG_DELAY_MS = 50;

export interface Executed {
  readonly query: CompiledQuery;
  readonly rows: StoreRows;
  /** Time of compilations, and of executions that failed because the schema had changed. */
  readonly planMs: number;
  readonly dbMs: number;
}

export interface ExecuteOptions {
  readonly store: Pick<LogStore, 'catalog' | 'execute'>;
  readonly compile: (catalog: Catalog) => CompiledQuery;
  /** Called before each execution. */
  readonly onExecute: () => void;
  readonly stopwatch: Stopwatch;
  readonly signal: AbortSignal;
}

/**
 * Compiles and executes a query; once more when a part was created, replaced or dropped after the compilation.
 * @throws ServiceError of the compiler and the store; the signal's reason
 */
export async function executeCurrent(options: ExecuteOptions): Promise<Executed> {
  const { store, compile, stopwatch, signal } = options;
  let planMs = 0;
  for (let attempt = 1; ; attempt++) {
    const catalog = store.catalog();
    const query = compile(catalog);
    planMs += stopwatch.lap();
    signal.throwIfAborted();
    options.onExecute();
    try {
      const rows = await store.execute(query, signal);
      return { query, rows, planMs, dbMs: stopwatch.lap() };
    } catch (error) {
      if (!isSchemaChange(error)) throw atItsPlace(error, query.places);
      // The store does not know a name in the statement: a bug, unless the schema has changed.
      if (!(await hasChanged(store, catalog))) throw notRun(error);
      if (attempt === MAX_ATTEMPTS) throw atItsPlace(error, query.places);
    }
  }
}

async function hasChanged(store: ExecuteOptions['store'], catalog: Catalog): Promise<boolean> {
  if (store.catalog() === catalog) await delay(CATALOG_DELAY_MS);
  return store.catalog() !== catalog;
}

function isSchemaChange(error: unknown): boolean {
  return error instanceof ServiceError && error.details.reason === 'schema_changed';
}

function notRun(cause: unknown): ServiceError {
  return new ServiceError('backend_error', 'the store could not run the query', {}, { cause });
}
