/**
 * Interface of results that several servers share: a second cache level behind the memory of each. Any failure of the
 * shared cache counts as a miss: a caller never waits long for it and never gets an error from it.
 */
import type { EntryTarget } from './cached-result';
import type { Run } from './run';

/** Address of the shared entry of a run. */
export interface SharedSlot {
  readonly target: EntryTarget;
  readonly name: string;
  /** Generation when the run began; empty: none yet. */
  readonly generation: string;
}

export interface SharedFinding {
  readonly run: Run | null;
  /** Null: the cache did not answer, so nothing is stored there either. */
  readonly slot: SharedSlot | null;
}

/**
 * Outcome of a background refresh: `found`: another server has a newer result; `elsewhere`: another server is running
 * it; `here`: this server runs it and calls `done` afterwards.
 */
export type SharedRenewal =
  | { readonly kind: 'found'; readonly run: Run }
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'here'; readonly slot: SharedSlot | null; readonly done: () => void };

/**
 * `refused`: not an entry of these servers, or too large. `failed`: no answer in time. `skipped`: not sent after
 * earlier failures.
 */
export const LOOKUP_OUTCOMES = ['hit', 'miss', 'refused', 'failed', 'skipped'] as const;
export type LookupOutcome = (typeof LOOKUP_OUTCOMES)[number];
/** `outdated`: purged since the run began. */
export const WRITE_OUTCOMES = ['stored', 'outdated', 'oversize', 'failed', 'skipped'] as const;
export type WriteOutcome = (typeof WRITE_OUTCOMES)[number];

export type SharedEvent =
  | { readonly kind: 'lookup'; readonly outcome: LookupOutcome }
  | { readonly kind: 'write'; readonly outcome: WriteOutcome };

export interface SharedResults {
  readonly isUp: boolean;
  find(target: EntryTarget): Promise<SharedFinding>;
  keep(slot: SharedSlot, run: Run): Promise<void>;
  renew(target: EntryTarget): Promise<SharedRenewal>;
  /** Deletes the results of a saved query for all servers. @throws ServiceError `cache_unavailable` */
  purge(endpointId: string): Promise<void>;
  /** Deletes what is known of a deleted saved query; a query with its id later begins without results. */
  remove(endpointId: string): Promise<void>;
  /** The listener is called within two seconds with a saved query that another server has purged. */
  onPurge(listener: (endpointId: string) => void): void;
  onEvent(listener: (event: SharedEvent) => void): void;
  stop(): void;
}
