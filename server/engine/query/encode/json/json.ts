/**
 * Encodes `application/json`: `{"result":[...]}`, or with facts `{"result":[...],"meta":{...}}`. `meta` is the last key
 * and never empty, so such a body ends in `}}` and `withCacheFacts` can extend it without parsing.
 */
import type { RedactedResult } from '../../redact';
import type { Encoder, MetaFacts } from '../encoder';
import { jsonRow } from './json-row';
import { TextSink, writeRows } from '../text-sink';

const HEAD = '{"result":[';
const TAIL = ']}';

export const encodeJson: Encoder = (result, options) => {
  const sink = new TextSink();
  sink.write(HEAD);
  const row = jsonRow(result, options.timestamps);
  const comma = (index: number): string => (index === 0 ? row(index) : `,${row(index)}`);
  const rows = writeRows(sink, result.rowCount, comma, options.maxBytes - TAIL.length);
  const truncated = result.truncated || rows < result.rowCount;
  sink.write(options.meta ? `],"meta":${metaText(result, rows, truncated, options.meta)}}` : TAIL);
  return { bytes: sink.toBytes(), rows, truncated };
};

function metaText(result: RedactedResult, rows: number, truncated: boolean, facts: MetaFacts): string {
  return JSON.stringify({
    columns: result.fields.map(({ name, typeName }) => ({ name, type: typeName })),
    rows,
    truncated,
    redacted: result.isRedacted,
    revision: facts.revision,
    elapsed_ms: Math.round(facts.elapsedMs() * 1000) / 1000,
    scanned_rows: null,
    ...(facts.warnings.length === 0 ? {} : { warnings: facts.warnings }),
  });
}

export interface CacheFacts {
  readonly status: 'hit' | 'miss' | 'bypass';
  /** Age of the result in seconds. */
  readonly age: number;
}

/**
 * Adds `meta.cache` to a body that was encoded with `meta`.
 * @returns two pieces to write one after the other; the first shares the body's memory.
 */
export function withCacheFacts(body: Uint8Array, cache: CacheFacts): readonly [Uint8Array, Uint8Array] {
  return [body.subarray(0, body.length - 2), Buffer.from(`,"cache":${JSON.stringify(cache)}}}`)];
}
