/**
 * Encodes a RedactedResult in one of the result formats, driven by the logical types of the columns, not by the store's
 * types.
 */
import type { ResultFormat } from '#contract/queries/query';
import type { RedactedResult } from '../redact';
import { encodeArrow } from './arrow/arrow';
import { encodeCsv } from './csv';
import type { EncodedResult, EncodeOptions, Encoder } from './encoder';
import { encodeJson } from './json/json';
import { encodeNdjson } from './json/ndjson';

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
