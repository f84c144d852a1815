/** Types of the dialect as JSON Schema, as result values appear in JSON. */
import type { DescribedColumn } from '#contract/queries/description';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Every column may be null. */
export function rowSchema(columns: readonly DescribedColumn[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(columns.map((column) => [column.name, columnSchema(column)])),
    required: columns.map((column) => column.name),
    additionalProperties: false,
  };
}

function columnSchema({ type, fields }: DescribedColumn): JsonSchema {
  if (fields === undefined) return typeSchema(type);
  const record = {
    type: ['object', 'null'],
    properties: Object.fromEntries(fields.map((field) => [field.name, columnSchema(field)])),
  };
  return type.startsWith('ARRAY') ? { type: ['array', 'null'], items: record } : record;
}

function typeSchema(type: string): JsonSchema {
  const element = /^ARRAY<(.*)>$/s.exec(type)?.[1];
  if (element !== undefined) return { type: ['array', 'null'], items: typeSchema(element) };
  return SCALARS[type] ?? {};
}

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  STRING: { type: ['string', 'null'] },
  INT64: { type: ['integer', 'string', 'null'], description: 'A string beyond 2^53-1.' },
  FLOAT64: { type: ['number', 'null'] },
  BOOL: { type: ['boolean', 'null'] },
  TIMESTAMP: {
    type: ['integer', 'string', 'null'],
    description: 'Microseconds since 1970; RFC 3339 text with the request header SVC-ENDPOINT-TIMESTAMPS: rfc3339.',
  },
  DATETIME: { type: ['string', 'null'], description: 'ISO 8601 without zone.' },
  DATE: { type: ['string', 'null'], format: 'date' },
};
