/**
 * Encodes a frame for Grafana: one Arrow IPC file per frame, without dictionaries and compression. Times are
 * nanoseconds without a zone, the unit that Grafana assumes. One invalid frame fails every query of the request.
 */
import { type FileHead, writeFile, writeWithHead } from '../arrow/write-file';
import type { ArrowField, FieldEntry, MetadataEntry } from '../arrow/write-schema';
import type { FieldKind, Frame, FrameField } from '../frame';
import { rememberLast } from '../remember-last';

const TS_TYPES: Readonly<Record<FieldKind, string>> = {
  time: 'time',
  integer: 'number',
  number: 'number',
  string: 'string',
  boolean: 'boolean',
  json: 'other',
};

export function encodeFrame(frame: Frame): Uint8Array {
  const { fields, length } = frame;
  const metadata: readonly MetadataEntry[] = [
    ['name', frame.name],
    ['refId', frame.refId],
    ['meta', JSON.stringify(frame.meta)],
  ];
  const known = heads.get(fields, String(length));
  if (known) return writeWithHead(known, metadata);
  const { bytes, head } = writeFile(fields.map(arrowField), length, metadata);
  heads.set(fields, String(length), head);
  return bytes;
}

/** Frames of equal rows have the same fields (`shapeResult`). */
const heads = rememberLast<Frame['fields'], FileHead>();

function arrowField({ name, kind, data, labels, config }: FrameField): ArrowField {
  const metadata: FieldEntry[] = [['tstype', TS_TYPES[kind]]];
  if (labels && Object.keys(labels).length > 0) metadata.push(['labels', JSON.stringify(labels)]);
  if (config && Object.keys(config).length > 0) metadata.push(['config', JSON.stringify(config)]);
  return { name, data, metadata };
}
