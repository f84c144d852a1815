/**
 * Interface of a log store. `server/engine/process/context.ts` and commands of operators (`seal`, `copy`, `backup`,
 * `restore`) choose an implementation.
 */
import type { SealedDay, SealState } from '#contract/control';
import type { IngestRequest } from '#contract/events/ingest';
import type { Source } from '#contract/events/source';
import type { FieldUse, SourceMisfits } from '#contract/queries/description';
import type { BlockCounts, IngestResult, DayCounts } from '#contract/queries/result';
import type { Catalog, CatalogPart, CompiledQuery, PartExtent } from '#compiler/store';
import type { DayExports } from './day-exports';
import type { StoreValue } from './store-value';

/** Rows by column, in the order of `CompiledQuery.columns`. */
export interface StoreRows {
  readonly columns: readonly (readonly StoreValue[])[];
  readonly rowCount: number;
  /** True when the store had more than `maxRows` rows; the rows beyond are dropped. */
  readonly truncated: boolean;
  /** Absent when the store did not divide the query by days. */
  readonly days?: DayCounts;
  /** Absent when the query searched for no text that the store has filters for. */
  readonly blocks?: BlockCounts;
}

export interface IngestBatch extends IngestRequest {
  /** UTF-8 JSON. */
  readonly body: Uint8Array;
}

/**
 * Why batches are refused. `disk_failed`: files cannot be written for another reason than missing room; `damaged`:
 * stored events that they are compared with cannot be read; `other`: the log has the cause.
 */
export type IngestFault = 'disk_full' | 'disk_failed' | 'memory' | 'damaged' | 'other';

export interface StoreHealth {
  readonly ok: boolean;
  readonly reason?: string;
  /** Set while the store refuses batches; queries may go on. */
  readonly ingestFault?: IngestFault;
  /** True once a block of the store's files could not be read; other queries and batches go on. */
  readonly isDamaged?: boolean;
}

/** Stats of a shared store, for operators. */
export interface StoreStats {
  /** Number of refused events that are kept aside, by source; the same for all servers. */
  readonly deadLetters: Readonly<Record<string, number>>;
  /** Duplicate events by source: `withdrawn` were deleted by this process, `left` could not be deleted. */
  readonly duplicates: Readonly<Record<string, { readonly withdrawn: number; readonly left: number }>>;
  /** Bytes of batches in this process that are not stored yet. */
  readonly waitingBytes: number;
}

/** A batch with values that got no name in queries, since there was no room for another field. */
export interface RefusedFields {
  readonly source: string;
  /** Tenant of the sender; null: none. */
  readonly tenant: string | null;
  /** Number of values, each counted in every event. */
  readonly values: number;
  /** Fields of the source, and how many of them have a column. */
  readonly fields: number;
  readonly columns: number;
  /** Those that the tenant has added; null: the sender has none. */
  readonly fields_of_tenant: number | null;
  readonly columns_of_tenant: number | null;
}

/** Rewrites past days so that queries read less of them. */
export interface Sealing {
  state(): SealState;

  /**
   * Seals the oldest past day that is not sealed, or that got events since. An abort leaves the day as it was.
   * @returns null if no day is left
   * @throws ServiceError `backend_unavailable` with `reason: exports_running`
   */
  sealNext(signal: AbortSignal): Promise<SealedDay | null>;
}

export interface LogStore {
  /**
   * The store is another server, which may take any time. A call other than a query is answered at its deadline, and
   * what it has begun goes on. A store in this process must end such a call: else its process counts as stuck.
   */
  readonly isRemote?: boolean;

  /** The current schema; a new object after each change. */
  catalog(): Catalog;

  /** What is known of a part at the moment, without asking the database. */
  extentOf?(part: CatalogPart): PartExtent | null;

  /**
   * Runs a compiled query in a read-only transaction. Stops early when the signal aborts.
   * @throws ServiceError `query_invalid` (a failure that depends on values, with the service's own message),
   * `resource_limit`, `query_timeout` (aborted), `backend_error`. Never the store's own text.
   */
  execute(query: CompiledQuery, signal: AbortSignal): Promise<StoreRows>;

  /**
   * Stores the valid entries of a batch and reports the invalid ones. Resolves only after they are on disk; they are
   * readable a little later, see `catchUp`. Stores each event once: see docs/decisions/0015-event-identity.md.
   */
  ingest(batch: IngestBatch): Promise<IngestResult>;

  /**
   * Takes and reads events of another source from now on. Does nothing for one that it has.
   * @throws ServiceError `definition_invalid` when its events are stored with other types, `backend_unavailable`
   */
  addSource(source: Source): Promise<void>;

  /**
   * Makes the table of a source as its declaration says, as far as it can be changed, for a store that is opened with
   * it. Absent: that happens when it is opened.
   * @param isStored false while the declaration may still be refused: then nothing is done that deletes events
   * @throws ServiceError `backend_unavailable`
   */
  prepareSource?(source: Source, isStored: boolean): Promise<void>;

  /**
   * Drops all events of a source that the store was not opened with, and forgets the fields that they brought.
   * @returns the number of their days
   * @throws ServiceError `backend_unavailable`, `backend_error`
   */
  dropEvents(source: Source): Promise<number>;

  /** Resolves when every event acknowledged before the call is readable, and the catalog contains its fields. */
  catchUp(): Promise<void>;

  /** True when `catchUp` has nothing to wait for. */
  readonly isCaughtUp: boolean;

  /** True when the backlog of events is so long that `catchUp` may take seconds. */
  readonly isFarBehind: boolean;

  /** Drops parts beyond the retention of their source. @returns the number of dropped parts. */
  enforceRetention(nowMicros: number): Promise<number>;

  /** True when no event is stored. */
  isEmpty(): Promise<boolean>;

  health(): Promise<StoreHealth>;

  /** Bytes of the events on disk by source, compressed, in all copies but replicas. @throws ServiceError */
  sizes(): Promise<ReadonlyMap<string, number>>;

  /** Fields with values that they cannot hold, by source; counted since the last start at least. */
  misfits(): Readonly<Record<string, SourceMisfits>>;

  /** Fields and columns in use, by source. */
  fieldUse(): Readonly<Record<string, FieldUse>>;

  /** Null for a store of this process alone. @throws ServiceError when the store does not answer */
  stats(): Promise<StoreStats | null>;

  /** Null: other processes can read the store themselves. */
  readonly exports: DayExports | null;

  /** Null: the store orders events itself. */
  readonly sealing: Sealing | null;

  close(): Promise<void>;
}
