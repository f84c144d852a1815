/**
 * Schemas of what the service answers about saved queries, sources, events and changes, by their names in the OpenAPI
 * document. Required are the properties that are always there.
 */
import { z } from 'zod';
import { auditEntrySchema } from '#contract/changes/audit';
import { revisionFactsSchema } from '#contract/changes/revision';
import { sourceSchema } from '#contract/events/source';
import { savedQuerySchema } from '#contract/queries/saved-query';
import { ANY_OBJECT, POSITION, PROBLEM_OF_QUERY } from './responses';
import type { JsonSchema } from './json-types';
import { COUNT, listOf, MAYBE_COUNT, MAYBE_TIME, objectOf, TEXT, TIME } from './schema-parts';

/** JSON Schema of an answer: later versions may add properties, so none is forbidden. */
function answerSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return described;
}

/** All of both schemas. */
const both = (base: JsonSchema, more: JsonSchema): JsonSchema => ({ allOf: [base, more] });

const COLUMN = objectOf(
  { name: TEXT, type: TEXT },
  { fields: { ...listOf(ANY_OBJECT), description: 'Fields of a record, in this form.' } }
);
const TABLE = objectOf({ name: TEXT, columns: listOf(COLUMN) });
const MISFIT = { field: TEXT, type: TEXT, values: COUNT };
const ORIGIN = objectOf({ origin: { enum: ['file', 'api'] } });

const CHANGE = { change: answerSchema(revisionFactsSchema.pick({ by: true, message: true, changed: true })) };
const OWNER = { origin: { enum: ['file', 'api'] }, revision: MAYBE_COUNT };

const STORED = both(answerSchema(savedQuerySchema), ORIGIN);
const REVISION = answerSchema(
  revisionFactsSchema.pick({
    id: true,
    revision: true,
    name: true,
    action: true,
    by: true,
    time: true,
    message: true,
    changed: true,
  })
);

export const ANSWER_SCHEMAS = {
  SavedQuerySummary: both(answerSchema(savedQuerySchema.omit({ query: true })), ORIGIN),
  DescribedSavedQuery: both(
    STORED,
    objectOf(
      { fields: listOf(COLUMN), tables: listOf(TABLE) },
      { misfits: listOf(objectOf({ source: TEXT, ...MISFIT })), problem: PROBLEM_OF_QUERY }
    )
  ),
  ChangedSavedQuery: both(STORED, objectOf(CHANGE)),
  Revision: REVISION,
  RevisionWithText: both(
    REVISION,
    objectOf({
      definition: { type: ['object', 'null'], additionalProperties: true, description: 'Null: it was deleted.' },
      yaml: { type: ['string', 'null'] },
    })
  ),
  ValidQuery: objectOf(
    { canonical: TEXT, fields: listOf(COLUMN), parameters: listOf(TEXT), tables: listOf(TEXT) },
    {
      sql: { ...TEXT, description: 'What an LQL text is compiled to.' },
      warnings: listOf(objectOf({ code: TEXT, message: TEXT, position: POSITION, offset: COUNT, length: COUNT })),
    }
  ),
  Source: objectOf({
    name: TEXT,
    ...OWNER,
    aliases: listOf(TEXT),
    description: TEXT,
    retention_days: COUNT,
    tenant: { type: ['string', 'null'] },
    tenant_optional: { type: 'boolean' },
    declared: objectOf({
      columns: { type: 'object', additionalProperties: TEXT },
      fields: { type: 'object', additionalProperties: TEXT },
    }),
    columns: listOf(COLUMN),
    events: COUNT,
    bytes: COUNT,
    days: MAYBE_COUNT,
    sealed_days: MAYBE_COUNT,
    seal_fault: { enum: ['disk_full', 'memory', 'other', null] },
    oldest_event: MAYBE_TIME,
    newest_event: MAYBE_TIME,
    dead_letters: MAYBE_COUNT,
    misfits: objectOf({ values: COUNT, fields: listOf(objectOf(MISFIT)) }),
    nested_fields: {
      anyOf: [
        objectOf({
          fields: COUNT,
          max_fields: COUNT,
          columns: COUNT,
          max_columns: COUNT,
          tenants: listOf(objectOf({ tenant: TEXT, fields: COUNT, columns: COUNT })),
        }),
        { type: 'null' },
      ],
    },
    arrivals: objectOf({
      since: TIME,
      stored_by_minute: listOf(COUNT),
      duplicates: COUNT,
      rejected: COUNT,
    }),
  }),
  ReadSource: both(
    answerSchema(sourceSchema),
    objectOf(OWNER, {
      created_at: TIME,
      updated_at: TIME,
      ...CHANGE,
      yaml: { ...TEXT, description: 'Of a source of the API, as it was sent.' },
    })
  ),
  ChangedSource: both(
    answerSchema(sourceSchema),
    objectOf({ ...OWNER, created_at: TIME, updated_at: TIME, ...CHANGE })
  ),
  Stored: objectOf({
    accepted: COUNT,
    duplicates: COUNT,
    rejected: COUNT,
    errors: listOf(objectOf({ index: COUNT, code: TEXT, message: TEXT })),
  }),
  AuditEntry: answerSchema(auditEntrySchema),
} as const satisfies Readonly<Record<string, JsonSchema>>;

export const answerRef = (name: keyof typeof ANSWER_SCHEMAS): JsonSchema => ({
  $ref: `#/components/schemas/${name}`,
});
