/** Source: a kind of log events and its fields, declared in `sources.yaml` or created over the API. */
import { z } from 'zod';

/** Types of a source's own columns and of nested fields. */
export const SCALAR_TYPES = ['STRING', 'INT64', 'FLOAT64', 'BOOL'] as const;
export type ScalarType = (typeof SCALAR_TYPES)[number];

/** Maximum size of one log event, as JSON passed to the store. */
export const MAX_ENTRY_BYTES = 1_048_576;

/** Maximum number of values in one log event: objects, lists, texts, numbers, booleans and nulls at any depth. */
export const MAX_ENTRY_VALUES = 10_000;
/** Maximum nesting of records below metadata; wrapping arrays do not count. */
export const MAX_RECORD_DEPTH = 20;

export const sourceSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_]{0,62}$/),
  aliases: z
    .array(z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,127}$/))
    .default([])
    .describe('Other names the source is read by in SQL, in backticks when they hold dots or dashes.'),
  id: z
    .string()
    .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
    .optional()
    .describe('A UUID by which senders of an older service name the source.'),
  description: z.string().default(''),
  retention_days: z.int().min(1).max(3650).default(90),
  columns: z
    .record(z.string().regex(/^[a-z][a-z0-9_]{0,62}$/), z.enum(SCALAR_TYPES))
    .default({})
    .describe('Own columns beside id, timestamp, event_message and metadata, e.g. `project: STRING`.'),
  tenant: z
    .string()
    .regex(/^([a-z][a-z0-9_]{0,62}|metadata(\.[^.]+)+)$/)
    .nullable()
    .default(null)
    .describe(
      'Where an event names its tenant: an own column of type STRING (`project`), or a field of metadata (`metadata.project_ref`).'
    ),
  tenant_optional: z
    .boolean()
    .default(false)
    .describe('Whether events that name no tenant are stored; tokens of a tenant never read them.'),
  fields: z
    .record(
      z.string(),
      z.enum([...SCALAR_TYPES, 'ARRAY<STRING>', 'ARRAY<INT64>', 'ARRAY<FLOAT64>', 'ARRAY<BOOL>', 'ARRAY<STRUCT>'])
    )
    .default({})
    .describe(
      'Nested fields known in advance, by dotted path below metadata (`request.path: STRING`). They read as NULL until events bring them; others are added as events bring them.'
    ),
});

export const sourcesSchema = z.strictObject({ sources: z.array(sourceSchema).min(1) });

export type Source = z.infer<typeof sourceSchema>;

/**
 * Location of the tenant in an event: a column of the source, or a path below metadata; null: the source has no
 * tenants.
 */
export type TenantPlace = { readonly column: string } | { readonly path: readonly string[] };

export function tenantPlaceOf({ tenant }: Pick<Source, 'tenant'>): TenantPlace | null {
  if (tenant === null) return null;
  const [first, ...path] = tenant.split('.');
  return path.length === 0 ? { column: first! } : { path };
}
