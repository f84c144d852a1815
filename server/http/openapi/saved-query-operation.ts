/** OpenAPI operations of one saved query: its parameters and its rows. */
import type { DescribeResult } from '#contract/description';
import type { Parameter, SavedQuery } from '#contract/saved-query';
import { type JsonSchema, rowSchema } from './json-types';
import { ERROR_RESPONSE, NOT_MODIFIED, resultResponse } from './responses';
import { SECURITY } from './security';

export function savedQueryPath(definition: SavedQuery, description: DescribeResult | null): JsonSchema {
  return {
    get: {
      operationId: definition.name,
      tags: ['saved queries'],
      summary: definition.name,
      description: definition.description,
      security: SECURITY,
      parameters: [
        ...definition.parameters.map(queryParameter),
        ...(definition.sandbox ? [SQL_PARAMETER, LQL_PARAMETER] : []),
        ...['Redact', 'Meta', 'Timestamps'].map((name) => ({ $ref: `#/components/parameters/${name}` })),
      ],
      responses: {
        '200': resultResponse(description ? rowSchema(description.fields) : { type: 'object' }, definition.sandbox),
        ...(definition.cache_seconds === null ? {} : { '304': NOT_MODIFIED }),
        default: ERROR_RESPONSE,
      },
    },
  };
}

function queryParameter(parameter: Parameter): JsonSchema {
  return {
    name: parameter.name,
    in: 'query',
    required: parameter.required,
    ...(parameter.description === undefined ? {} : { description: parameter.description }),
    schema: parameterSchema(parameter),
  };
}

const TYPES: { readonly [T in Parameter['type']]: JsonSchema } = {
  text: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  timestamp: { type: 'string' },
};

/** JSON Schema of the values of a parameter. */
export function parameterSchema({ type, enum: allowed, default: fallback, pattern, format }: Parameter): JsonSchema {
  return {
    ...TYPES[type],
    ...(allowed === undefined ? {} : { enum: allowed }),
    ...(fallback === undefined ? {} : { default: fallback }),
    // Our patterns match the whole value, those of JSON Schema any part of it.
    ...(pattern === undefined ? {} : { pattern: `^(?:${pattern})$` }),
    ...(format === 'regex' ? { format: 'regex' } : {}),
  };
}

const SQL_PARAMETER: JsonSchema = {
  name: 'sql',
  in: 'query',
  required: false,
  description:
    'An ad-hoc SELECT that takes the place of the final SELECT; it reads the sandbox tables only. Scope `adhoc`.',
  schema: { type: 'string' },
};

const LQL_PARAMETER: JsonSchema = {
  name: 'lql',
  in: 'query',
  required: false,
  description:
    'A one-line filter over one sandbox table, e.g. `f:edge_logs m.level:error t:last@1h`, in the place of `sql`. Scope `adhoc`.',
  schema: { type: 'string' },
};
