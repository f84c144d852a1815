/**
 * A frame as the bytes Grafana reads: an Arrow IPC file, one frame each, no dictionaries and no compression. Times are nanoseconds
 * without a zone: Grafana takes the unit for granted. One frame that it cannot decode fails every query of the request.
 */
import {
  type DataType,
  Field,
  makeData,
  MetadataVersion,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
} from 'apache-arrow';
import type { FieldKind, Frame, FrameField } from './frame';

const TS_TYPES: Readonly<Record<FieldKind, string>> = {
  time: 'time',
  integer: 'number',
  number: 'number',
  string: 'string',
  boolean: 'boolean',
  json: 'other',
};

export function encodeFrame(frame: Frame): Uint8Array {
  const fields = frame.fields.map(arrowField);
  const metadata = new Map([
    ['name', frame.name],
    ['refId', frame.refId],
    ['meta', JSON.stringify(frame.meta)],
  ]);
  const schema = new Schema(fields, metadata, undefined, MetadataVersion.V5);
  const writer = new RecordBatchFileWriter();
  writer.reset(undefined, schema);
  if (fields.length > 0) {
    const data = makeData({
      type: new Struct(fields),
      length: frame.length,
      nullCount: 0,
      children: frame.fields.map((field) => field.data),
    });
    // The constructor merges fields of one name, and the writer drops a batch whose schema is not its own: series share their names.
    writer.write(Object.assign(new RecordBatch(schema, data), { schema }));
  }
  writer.finish();
  return writer.toUint8Array(true);
}

function arrowField({ name, kind, data, labels, config }: FrameField): Field<DataType> {
  const metadata = new Map([['tstype', TS_TYPES[kind]]]);
  if (labels && Object.keys(labels).length > 0) metadata.set('labels', JSON.stringify(labels));
  if (config && Object.keys(config).length > 0) metadata.set('config', JSON.stringify(config));
  return new Field(name, data.type as DataType, data.nullCount > 0, metadata);
}
