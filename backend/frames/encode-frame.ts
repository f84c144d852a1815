/**
 * Encodes a frame for Grafana: one Arrow IPC file per frame, without dictionaries and compression. Times are
 * nanoseconds without a zone, the unit that Grafana assumes. One invalid frame fails every query of the request.
 */
import { writeFile } from './arrow/write-file';
import type { ArrowField, MetadataEntry } from './arrow/write-schema';
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
  return writeFile(frame.fields.map(arrowField), frame.length, [
    ['name', frame.name],
    ['refId', frame.refId],
    ['meta', JSON.stringify(frame.meta)],
  ]);
}

function arrowField({ name, kind, data, labels, config }: FrameField): ArrowField {
  const metadata: MetadataEntry[] = [['tstype', TS_TYPES[kind]]];
  if (labels && Object.keys(labels).length > 0) metadata.push(['labels', JSON.stringify(labels)]);
  if (config && Object.keys(config).length > 0) metadata.push(['config', JSON.stringify(config)]);
  return { name, data, metadata };
}
