/** Encodes a frame with the writer of `apache-arrow`, for comparison with ours. */
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
import type { FieldKind, Frame, FrameField } from '#backend/frames/frame';

const TS_TYPES: Readonly<Record<FieldKind, string>> = {
  time: 'time',
  integer: 'number',
  number: 'number',
  string: 'string',
  boolean: 'boolean',
  json: 'other',
};

export function encodeWithArrow(frame: Frame): Uint8Array {
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
    // The constructor merges fields of the same name, which series have, and the writer drops a batch whose schema
    // differs: set the schema again.
    writer.write(Object.assign(new RecordBatch(schema, data), { schema }));
  }
  writer.finish();
  return writer.toUint8Array(true);
}

function arrowField({ name, kind, data, labels, config }: FrameField): Field<DataType> {
  const metadata = new Map([['tstype', TS_TYPES[kind]]]);
  if (labels && Object.keys(labels).length > 0) metadata.set('labels', JSON.stringify(labels));
  if (config && Object.keys(config).length > 0) metadata.set('config', JSON.stringify(config));
  return new Field(name, data.type, data.nullCount > 0, metadata);
}
