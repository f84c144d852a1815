/** RedactedResult in, bytes of one result format out. Driven by the logical types of the columns, never by the store's. */
import type { QueryWarning, ResultFormat, TimestampStyle } from '#contract/query';
import type { RedactedResult } from '../redact';
import { encodeArrow } from './arrow';
import { encodeCsv } from './csv';
import { encodeJson } from './json';
import { encodeNdjson } from './ndjson';

export interface EncodeOptions {
  readonly timestamps: TimestampStyle;
  /** Rows stop before the one that would make the document (without `meta`) larger. An empty document may be larger. */
  readonly maxBytes: number;
  /** Facts for the `meta` key of JSON; null leaves the key out. Other formats have no place for it. */
  readonly meta: MetaFacts | null;
}

export interface MetaFacts {
  readonly revision: number;
  readonly warnings: readonly QueryWarning[];
  /** Read when the rows are written. */
  readonly elapsedMs: () => number;
}

export interface EncodedResult {
  readonly bytes: Uint8Array;
  readonly rows: number;
  /** The store had more rows, or `maxBytes` cut them. */
  readonly truncated: boolean;
}

export type Encoder = (result: RedactedResult, options: EncodeOptions) => EncodedResult;

const ENCODERS: { readonly [F in ResultFormat]: Encoder } = {
  json: encodeJson,
  ndjson: encodeNdjson,
  csv: encodeCsv,
  arrow: encodeArrow,
};

export function encode(
  result: RedactedResult,
  { format, ...options }: EncodeOptions & { format: ResultFormat }
): EncodedResult {
  return ENCODERS[format](result, options);
}
