/** What a run gives back. */
import type { QueryWarning, ResultFormat } from './query';
import type { RedactionKind } from './redaction';

/** The type names of the dialect, e.g. `TIMESTAMP`, `ARRAY<STRUCT<a STRING>>`. */
export interface ResultField {
  readonly name: string;
  readonly type: string;
}

/** Milliseconds per stage: waiting for the engine, compiling, the store, redaction, encoding. */
export interface RunTimings {
  readonly queueMs: number;
  readonly planMs: number;
  readonly dbMs: number;
  readonly redactMs: number;
  readonly encodeMs: number;
}

/** Redacted, encoded bytes with their facts: the only form of rows that the HTTP layer and the cache see. */
export interface QueryResult {
  readonly format: ResultFormat;
  readonly bytes: Uint8Array;
  readonly fields: readonly ResultField[];
  readonly rows: number;
  readonly truncated: boolean;
  readonly redacted: boolean;
  /** What redaction replaced in the rows of this run, by kind; absent when that is nothing. */
  readonly replaced?: Readonly<Partial<Record<RedactionKind, number>>>;
  readonly revision: number;
  /** Of LQL; absent when there are none. */
  readonly warnings?: readonly QueryWarning[];
  readonly timings: RunTimings;
}

export interface IngestError {
  /** Zero-based index of the entry in the batch. */
  readonly index: number;
  readonly code: string;
  readonly message: string;
}

/** Rejected entries that are reported one by one; all are counted. */
export const MAX_REPORTED_ERRORS = 1_000;

export interface IngestResult {
  readonly accepted: number;
  /** Entries already stored (same id and timestamp); they count as accepted too. */
  readonly duplicates: number;
  readonly rejected: number;
  /** The first `MAX_REPORTED_ERRORS` rejected entries. */
  readonly errors: readonly IngestError[];
}
