/**
 * Encodes `application/vnd.apache.arrow.stream`: the schema and one record batch. A result without rows has the schema
 * and an empty batch.
 */
import { makeData, RecordBatch, RecordBatchStreamWriter, Schema, Struct } from 'apache-arrow';
import type { RedactedResult } from '../../redact';
import { arrowData, arrowFields } from './arrow-column';
import type { Encoder } from '../encoder';

export const encodeArrow: Encoder = (result, options) => {
  let rows = result.rowCount;
  let bytes = streamOf(result, rows);
  // The size of a row is unknown in columnar form: the row count is reduced in proportion until the bytes fit.
  while (bytes.length > options.maxBytes && rows > 0) {
    rows = Math.floor(Math.min(rows * (options.maxBytes / bytes.length) * 0.95, rows - 1));
    bytes = streamOf(result, rows);
  }
  return { bytes, rows, truncated: result.truncated || rows < result.rowCount };
};

function streamOf(result: RedactedResult, rows: number): Uint8Array {
  const fields = arrowFields(result.fields);
  const children = result.fields.map(({ type }, index) => {
    const values = result.columns[index] ?? [];
    return arrowData(type, values.length === rows ? values : values.slice(0, rows));
  });
  const data = makeData({ type: new Struct(fields), length: rows, nullCount: 0, children });
  const writer = new RecordBatchStreamWriter();
  writer.write(new RecordBatch(new Schema(fields), data));
  writer.finish();
  return writer.toUint8Array(true);
}
