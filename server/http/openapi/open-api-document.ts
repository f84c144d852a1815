/** Builds the OpenAPI 3.1 document of the service and of the saved queries that a token can access. */
import { z } from 'zod';
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

/** @param withService adds the operations of the service itself */
export function createOpenApiDocument(
  queries: readonly DescribedQuery[],
  { withService }: { readonly withService: boolean }
): JsonSchema {
  const queryPaths = queries.map(
    ({ definition, description }) =>
      [`/api/endpoints/query/${definition.name}`, savedQueryPath(definition, description)] as const
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Log Query Endpoints',
      version: VERSION,
      description: 'Saved, named, parameterized, read-only queries over logs, each one an HTTP endpoint.',
    },
    servers: [{ url: '/' }],
    paths: { ...Object.fromEntries(queryPaths), ...(withService ? SERVICE_PATHS : {}) },
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: HEADER_PARAMETERS,
      schemas: { ...ERROR_SCHEMAS, ...(withService ? { SavedQuery: SAVED_QUERY_SCHEMA, ...ANSWER_SCHEMAS } : {}) },
      responses: { Error: ERROR_COMPONENT },
    },
  };
}

const SERVICE_PATHS = servicePaths();

/** A definition as it is sent: the server makes a missing id. */
const SAVED_QUERY_SCHEMA: JsonSchema = z.toJSONSchema(savedQuerySchema.partial({ id: true }), { io: 'input' });

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
