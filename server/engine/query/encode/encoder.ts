/** What each result format does: rows in, bytes out. */
import type { QueryWarning, TimestampStyle } from '#contract/queries/query';
import type { RedactedResult } from '../redact';

export interface EncodeOptions {
  readonly timestamps: TimestampStyle;
  /** Size limit without `meta`; rows that would exceed it are cut. A document without rows may be larger. */
  readonly maxBytes: number;
  /** Facts for the `meta` key of JSON; null omits the key. Other formats do not contain it. */
  readonly meta: MetaFacts | null;
}

export interface MetaFacts {
  readonly revision: number;
  readonly warnings: readonly QueryWarning[];
  /** Called when the rows have been written. */
  readonly elapsedMs: () => number;
}

export interface EncodedResult {
  readonly bytes: Uint8Array;
  readonly rows: number;
  /** Whether rows are missing because of the row limit or `maxBytes`. */
  readonly truncated: boolean;
}

export type Encoder = (result: RedactedResult, options: EncodeOptions) => EncodedResult;
