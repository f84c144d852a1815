/** A run as the cache sees it: what it returns, for whom it is, and the function that makes it. */
import type { QueryResult } from '#contract/queries/result';
import type { QueryKeyInput } from './cache-key';
import type { Instant } from './instant';

export interface Run {
  readonly result: QueryResult;
  /** The "now" of the run. */
  readonly executedAt: Instant;
}

/** The caller that a query runs for. */
export interface RunCaller {
  /** Owner of the permit: the id of a token, or an internal name for background work. */
  readonly owner: string;
  /** Background run without a waiting client: it gets a permit only when no client waits for one. */
  readonly isBackground: boolean;
  /** Trace id for the log, when the run ends an engine process. */
  readonly traceId?: string;
  /** Aborts when the client closes the connection; the run rejects with its reason. */
  readonly signal: AbortSignal;
  /** Called when the run has its permit and begins. */
  readonly onStart?: () => void;
}

/** Runs a query without looking into the cache. */
export type RunQuery = (queryRequest: QueryKeyInput, caller: RunCaller) => Promise<Run>;
