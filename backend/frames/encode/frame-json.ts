/** Encodes a frame as JSON with its schema, as streams send it. */
import { valueAt } from '../column-data';
import type { FieldKind, Frame, FrameField } from '../frame';

const NANOS_PER_MILLI = 1_000_000n;

/** Type names of Grafana's own frames; its decoder fails without them. */
const TYPE_INFO: Readonly<Record<FieldKind, { readonly type: string; readonly frame: string }>> = {
  time: { type: 'time', frame: 'time.Time' },
  integer: { type: 'number', frame: 'int64' },
  number: { type: 'number', frame: 'float64' },
  string: { type: 'string', frame: 'string' },
  boolean: { type: 'boolean', frame: 'bool' },
  json: { type: 'other', frame: 'json.RawMessage' },
};

export function frameJson(frame: Frame): string {
  const columns = frame.fields.map((field) => columnValues(field, frame.length));
  const nanos = columns.map((column) => column.nanos ?? null);
  const data = {
    values: columns.map((column) => column.values),
    ...(nanos.some((one) => one !== null) ? { nanos } : {}),
  };
  const fields = frame.fields.map(({ name, kind, data: column, labels, config }) => ({
    name,
    type: TYPE_INFO[kind].type,
    typeInfo: { frame: TYPE_INFO[kind].frame, ...(column.nullCount > 0 ? { nullable: true } : {}) },
    ...(labels ? { labels } : {}),
    ...(config ? { config } : {}),
  }));
  return JSON.stringify({ schema: { refId: frame.refId, name: frame.name, meta: frame.meta, fields }, data });
}

/** Times as milliseconds, with the remaining nanoseconds separately if there are any. */
function columnValues(field: FrameField, length: number): { values: unknown[]; nanos?: number[] } {
  const get = valueAt(field);
  const values = Array.from({ length }, (_, row) => get(row));
  if (field.kind === 'integer') return { values: values.map((value) => (value === null ? null : Number(value))) };
  if (field.kind === 'json')
    return { values: values.map((value): unknown => (typeof value === 'string' ? JSON.parse(value) : null)) };
  if (field.kind !== 'time') return { values };
  const nanos = values.map((value) => (typeof value === 'bigint' ? Number(value % NANOS_PER_MILLI) : 0));
  const millis = values.map((value) => (typeof value === 'bigint' ? Number(value / NANOS_PER_MILLI) : null));
  return nanos.some((rest) => rest !== 0) ? { values: millis, nanos } : { values: millis };
}
