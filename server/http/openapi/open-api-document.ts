/** Builds the OpenAPI 3.1 document of the service and of the saved queries that a token can access. */
import { z } from 'zod';
import { sourceSchema } from '#contract/events/source';
import type { DescribedEndpoint } from '#contract/queries/description';
import { type SavedQuery, savedQuerySchema } from '#contract/queries/saved-query';
import { VERSION } from '../../common/version';
import { ANSWER_SCHEMAS } from './answer-schemas';
import type { JsonSchema } from './json-types';
import { ERROR_COMPONENT, ERROR_SCHEMAS } from './responses';
import { SECURITY_SCHEMES } from './security';
import { savedQueryPath } from './saved-query-operation';
import { servicePaths } from './service-operations';

export interface DescribedQuery {
  readonly definition: SavedQuery;
  /** Null: rows of any form. */
  readonly description: DescribedEndpoint | null;
}

/**
 * Text of the document of the service and these saved queries, which takes tens of milliseconds for hundreds of them.
 *
 * @returns parts of the text, one for each saved query among them
 */
export function* openApiParts(queries: Iterable<DescribedQuery>): Generator<string> {
  const { start, end } = serviceParts();
  yield start;
  for (const query of queries) {
    const [path, operations] = pathOf(query);
    yield `${JSON.stringify(path)}:${JSON.stringify(operations)},`;
  }
  yield end;
}

let service: { readonly start: string; readonly end: string } | undefined;

/** The document of the service up to its first path, and from there on. */
function serviceParts(): { readonly start: string; readonly end: string } {
  if (service === undefined) {
    const { paths, components, ...head } = createOpenApiDocument([], { withService: true });
    const start = `${JSON.stringify(head).slice(0, -1)},"paths":{`;
    service = { start, end: `${JSON.stringify(paths).slice(1)},"components":${JSON.stringify(components)}}` };
  }
  return service;
}

function pathOf({ definition, description }: DescribedQuery): readonly [string, JsonSchema] {
  return [`/api/endpoints/query/${definition.name}`, savedQueryPath(definition, description)];
}

/** @param withService adds the operations of the service itself */
export function createOpenApiDocument(
  queries: readonly DescribedQuery[],
  { withService }: { readonly withService: boolean }
): JsonSchema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Log Query Endpoints',
      version: VERSION,
      description: 'Saved, named, parameterized, read-only queries over logs, each one an HTTP endpoint.',
    },
    servers: [{ url: '/' }],
    paths: { ...Object.fromEntries(queries.map(pathOf)), ...(withService ? SERVICE_PATHS : {}) },
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: HEADER_PARAMETERS,
      schemas: {
        ...ERROR_SCHEMAS,
        ...(withService ? { SavedQuery: SAVED_QUERY_SCHEMA, SourceDefinition: SOURCE_SCHEMA, ...ANSWER_SCHEMAS } : {}),
      },
      responses: { Error: ERROR_COMPONENT },
    },
  };
}

const SERVICE_PATHS = servicePaths();

/** A definition as it is sent: the server makes a missing id. */
const SAVED_QUERY_SCHEMA: JsonSchema = z.toJSONSchema(savedQuerySchema.partial({ id: true }), { io: 'input' });

const SOURCE_SCHEMA: JsonSchema = z.toJSONSchema(sourceSchema, { io: 'input' });

const header = (name: string, values: readonly string[], description: string): JsonSchema => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', enum: values },
});

const HEADER_PARAMETERS: JsonSchema = {
  Redact: header('SVC-ENDPOINT-REDACT-PII', ['true', 'false'], 'Redact personal data in this answer.'),
  Meta: header('SVC-ENDPOINT-META', ['true', 'false'], 'Add `meta` with facts about the run to a JSON body.'),
  Timestamps: header('SVC-ENDPOINT-TIMESTAMPS', ['rfc3339'], 'Write all times as RFC 3339 text in UTC.'),
};
