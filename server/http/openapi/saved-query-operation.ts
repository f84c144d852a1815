/** OpenAPI operations of one saved query: its parameters and its rows. */
import type { DescribedEndpoint } from '#contract/queries/description';
import type { Parameter, SavedQuery } from '#contract/queries/saved-query';
import { type JsonSchema, rowSchema } from './json-types';
import { callBody, SCALAR } from './call-body';
import { ANY_OBJECT, ERROR_RESPONSE, NOT_MODIFIED, OTHER_FORMATS, resultResponse } from './responses';
import { SECURITY } from './security';

/**
 * GET has the rows of the saved query. POST of one with a sandbox may carry a text, so its rows are of any form;
 * without a sandbox they are those of GET.
 */
export function savedQueryPath(definition: SavedQuery, description: DescribedEndpoint | null): JsonSchema {
  const { name, sandbox, parameters, cache_seconds } = definition;
  const row = description ? rowSchema(description.fields) : ANY_OBJECT;
  const operation = {
    tags: ['saved queries'],
    summary: name,
    security: SECURITY,
  };
  const headers = ['Redact', 'Meta', 'Timestamps'].map((each) => ({ $ref: `#/components/parameters/${each}` }));
  return {
    get: {
      ...operation,
      operationId: name,
      description: sentences(definition.description, OTHER_FORMATS),
      parameters: [...parameters.map(queryParameter), ...headers],
      responses: {
        '200': resultResponse(row),
        ...(cache_seconds === null ? {} : { '304': NOT_MODIFIED }),
        default: ERROR_RESPONSE,
      },
    },
    post: {
      ...operation,
      operationId: `${name}-post`,
      description: sentences(definition.description, sandbox ? ADHOC : OF_POST, OTHER_FORMATS),
      parameters: headers,
      requestBody: {
        required: true,
        content: { 'application/json': { schema: callBody(parametersSchema(parameters), sandbox) } },
      },
      responses: { '200': resultResponse(sandbox ? ANY_OBJECT : row), default: ERROR_RESPONSE },
    },
  };
}

const OF_POST = 'For parameters that are too long for a URL.';
const ADHOC =
  'With `sql` or `lql`, an ad-hoc query in the sandbox takes the place of the final SELECT (scope `adhoc`); GET takes both ' +
  'as parameters, too.';

function sentences(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

function parametersSchema(parameters: readonly Parameter[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, valueSchema(parameter)])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: SCALAR,
  };
}

const valueSchema = (parameter: Parameter): JsonSchema => ({
  ...parameterSchema(parameter),
  ...(parameter.description === undefined ? {} : { description: parameter.description }),
});

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

type Scalar = string | number | boolean;

/** The value of the type that a caller sends for this text; undefined: no value is written so. */
function valueOf(type: Parameter['type'], text: string): Scalar | undefined {
  if (type === 'text' || type === 'timestamp') return text;
  const value = type === 'boolean' ? text === 'true' : Number(text);
  return String(value) === text ? value : undefined;
}

/** JSON Schema of the values of a parameter. */
export function parameterSchema({ type, enum: allowed, default: fallback, pattern, format }: Parameter): JsonSchema {
  // Choices that no value of the type is written as, such as "007", are sent as texts.
  const sentType = allowed?.some((text) => valueOf(type, text) === undefined) ? 'text' : type;
  const defaultValue = fallback === undefined ? undefined : valueOf(sentType, fallback);
  return {
    ...TYPES[sentType],
    ...(allowed === undefined ? {} : { enum: allowed.map((text) => valueOf(sentType, text)) }),
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
    // Our patterns match the whole value, those of JSON Schema any part of it.
    ...(pattern === undefined ? {} : { pattern: `^(?:${pattern})$` }),
    ...(format === 'regex' ? { format: 'regex' } : {}),
  };
}
