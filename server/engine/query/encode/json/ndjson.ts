/**
 * Encodes `application/x-ndjson`: one JSON object per line, each ending in a newline. A result without rows is empty.
 */
import type { Encoder } from '../encoder';
import { jsonRow } from './json-row';
import { TextSink, writeRows } from '../text-sink';

export const encodeNdjson: Encoder = (result, options) => {
  const sink = new TextSink();
  const row = jsonRow(result, options.timestamps);
  const rows = writeRows(sink, result.rowCount, (index) => `${row(index)}\n`, options.maxBytes);
  return { bytes: sink.toBytes(), rows, truncated: result.truncated || rows < result.rowCount };
};
