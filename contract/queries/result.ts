/** Results of runs and of ingestion. */
import type { QueryWarning, ResultFormat } from './query';
import type { RedactionKind } from '../redaction';

/** A column of a result; types are those of the dialect, e.g. `TIMESTAMP`, `ARRAY<STRUCT<a STRING>>`. */
export interface ResultField {
  readonly name: string;
  readonly type: string;
}

/** Milliseconds per stage: queueing, compiling, running in the store, redacting, encoding. */
export interface RunTimings {
  readonly queueMs: number;
  readonly planMs: number;
  readonly dbMs: number;
  readonly redactMs: number;
  readonly encodeMs: number;
}

/** Blocks of sealed days, of runs that searched for texts. */
export interface BlockCounts {
  readonly read: number;
  /** Left out by search filters. */
  readonly skipped: number;
}

/** Days of a run that the store divided by days. */
export interface DayCounts {
  /** Days whose events were read. */
  readonly read: number;
  /** Days whose counts were kept from an earlier run. */
  readonly kept: number;
  /** Memory of all kept counts after the run. */
  readonly keptBytes: number;
}

/** Encoded and redacted rows with their facts: the only form of rows that the HTTP layer and the cache handle. */
export interface QueryResult {
  readonly format: ResultFormat;
  readonly bytes: Uint8Array;
  readonly fields: readonly ResultField[];
  readonly rows: number;
  readonly truncated: boolean;
  readonly redacted: boolean;
  /** Number of replacements by redaction in this run, per kind; absent without replacements. */
  readonly replaced?: Readonly<Partial<Record<RedactionKind, number>>>;
  readonly revision: number;
  /** Warnings of an LQL text; absent without warnings. */
  readonly warnings?: readonly QueryWarning[];
  readonly timings: RunTimings;
  /** Absent for a run that the store did not divide by days. */
  readonly days?: DayCounts;
  /**
   * Absent for a run that searched for no text. For metrics only: callers may not see the events that it depends on.
   */
  readonly blocks?: BlockCounts;
}

export interface IngestError {
  /** Zero-based index of the entry in the batch. */
  readonly index: number;
  readonly code: string;
  readonly message: string;
}

/** Maximum number of rejected entries listed individually; all are counted. */
export const MAX_REPORTED_ERRORS = 1_000;

export interface IngestResult {
  readonly accepted: number;
  /** Entries that were stored before (same id and timestamp); they count as accepted too. */
  readonly duplicates: number;
  readonly rejected: number;
  /** The first `MAX_REPORTED_ERRORS` rejected entries. */
  readonly errors: readonly IngestError[];
}
