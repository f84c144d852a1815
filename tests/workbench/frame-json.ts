import type { DecodedFrame } from '../backend/support/decode-frame';

/** A frame as Grafana's host sends it to the browser: times in milliseconds, JSON columns as `other`. */
export function frameJson({ name, refId, meta, fields }: DecodedFrame): object {
  return {
    schema: {
      name,
      refId,
      meta,
      fields: fields.map((field) => ({
        name: field.name,
        type: field.type === 'json' ? 'other' : field.type,
        labels: field.labels,
        config: field.config,
      })),
    },
    data: {
      values: fields.map(({ type, values }) => (type === 'time' ? values.map(milliseconds) : values.map(plain))),
    },
  };
}

function milliseconds(value: unknown): number | null {
  return typeof value === 'bigint' ? Number(value / 1_000_000n) : null;
}

function plain(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}
