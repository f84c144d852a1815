/** Interface of a log store. `server/engine/context.ts` and the commands `copy` and `store` choose an implementation. */
import type { IngestRequest } from '#contract/ingest';
import type { IngestResult } from '#contract/result';
import type { Catalog } from '../compiler/catalog';
import type { CompiledQuery } from '../compiler/compiled-query';

/** A stored value by logical type: STRING string, INT64 bigint, FLOAT64 number, BOOL boolean, TIMESTAMP and DATETIME bigint microseconds
 * since 1970, DATE number of days since 1970, ARRAY array, STRUCT array of values in field order, RECORD_TEXT string (JSON text). */
export type StoreValue = string | bigint | number | boolean | null | readonly StoreValue[];

/** Rows kept in columns, in the order of `CompiledQuery.columns`. */
export interface StoreRows {
  readonly columns: readonly (readonly StoreValue[])[];
  readonly rowCount: number;
  /** True when the store had more than `maxRows` rows; the extra one is dropped already. */
  readonly truncated: boolean;
}

export interface IngestBatch extends IngestRequest {
  /** UTF-8 JSON. */
  readonly body: Uint8Array;
}

export interface StoreHealth {
  readonly ok: boolean;
  readonly reason?: string;
}

/** What an operator should see of a store that others keep. */
export interface StoreStats {
  /** Events that the store refused and that are kept aside, by source. All servers see the same. */
  readonly deadLetters: Readonly<Record<string, number>>;
  /** Copies of events that were stored twice, by source: those that this process took away, and those it could not. */
  readonly duplicates: Readonly<Record<string, { readonly withdrawn: number; readonly left: number }>>;
  /** Of batches that are not stored yet, in this process. */
  readonly waitingBytes: number;
}

export interface LogStore {
  /** The current schema. A new value each time it grows. */
  catalog(): Catalog;

  /**
   * Runs a compiled query in a read-only transaction. Stops early when the signal aborts.
   * @throws ServiceError `query_invalid` (a value-dependent failure of the caller's making, in our own words), `resource_limit`,
   * `query_timeout` (aborted), `backend_error`. Never the store's own text.
   */
  execute(query: CompiledQuery, signal: AbortSignal): Promise<StoreRows>;

  /**
   * Stores the good entries of a batch and reports the bad ones. Resolves only after they are on disk; they can be read a little later,
   * see `catchUp`. Stores each event once: see docs/decisions/0015-event-identity.md.
   */
  ingest(batch: IngestBatch): Promise<IngestResult>;

  /** Resolves when every event acknowledged before the call can be read, and the catalog tells of its fields. */
  catchUp(): Promise<void>;

  /** Whether so much waits that `catchUp` may take seconds. */
  readonly isFarBehind: boolean;

  /** Drops parts older than their source's retention. @returns how many. */
  enforceRetention(nowMicros: number): Promise<number>;

  /** True when not one event is stored. */
  isEmpty(): Promise<boolean>;

  health(): Promise<StoreHealth>;

  /** Null: the store is this process's own, and has nothing of the kind. @throws ServiceError when the store does not answer */
  stats(): Promise<StoreStats | null>;

  close(): Promise<void>;
}
