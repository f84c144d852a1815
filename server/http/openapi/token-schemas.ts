/** Schemas of access tokens, for the OpenAPI description. */
import { SCOPES } from '#contract/tokens/token';
import type { JsonSchema } from './json-types';

const nullable = (type: string, more: JsonSchema = {}): JsonSchema => ({ type: [type, 'null'], ...more });
const NOTE: JsonSchema = { type: 'string', maxLength: 500, description: 'Note for the audit trail.' };

const POLICY: Readonly<Record<string, JsonSchema>> = {
  name: { type: 'string', minLength: 1, maxLength: 100 },
  scopes: { type: 'array', items: { type: 'string', enum: SCOPES }, minItems: 1 },
  endpoints: {
    oneOf: [
      { type: 'string', const: '*' },
      { type: 'array', items: { type: 'string' }, minItems: 1 },
    ],
    description: 'Ids or names of the saved queries that the token sees.',
  },
  fixed_parameters: { type: 'object', additionalProperties: { type: 'string' } },
  tenant: nullable('string'),
  force_redaction: { type: 'boolean' },
  max_rows: nullable('integer', { minimum: 1 }),
  rate: nullable('integer', { minimum: 1, description: 'Requests a minute; null: the default of the service.' }),
  expires_at: nullable('string', { description: 'A time, or in a request a span from now like `90d`; null: never.' }),
};

export const NEW_TOKEN: JsonSchema = {
  type: 'object',
  required: ['name'],
  properties: { ...POLICY, message: NOTE },
  additionalProperties: false,
};

const PATCH: JsonSchema = {
  type: 'object',
  properties: {
    ...POLICY,
    fixed_parameters: nullable('object', {
      additionalProperties: nullable('string'),
      description: 'Null in the place of a value removes that parameter; in the place of the object, all of them.',
    }),
  },
  additionalProperties: false,
};

export const TOKEN_PATCH: JsonSchema = {
  oneOf: [
    PATCH,
    { type: 'object', required: ['token'], properties: { token: PATCH, message: NOTE }, additionalProperties: false },
  ],
};

export const ROTATION: JsonSchema = {
  type: 'object',
  properties: { grace_seconds: { type: 'integer', minimum: 0, default: 3600 }, message: NOTE },
  additionalProperties: false,
};

const DESCRIBED: Readonly<Record<string, JsonSchema>> = {
  id: { type: 'string' },
  state: { type: 'string', enum: ['active', 'expired', 'revoked'] },
  ...POLICY,
  created_at: { type: 'string', format: 'date-time' },
  revoked_at: nullable('string', { format: 'date-time' }),
  last_used_at: nullable('string', { format: 'date-time' }),
};

export const TOKEN: JsonSchema = { type: 'object', properties: DESCRIBED, required: Object.keys(DESCRIBED) };

export const ISSUED_TOKEN: JsonSchema = {
  type: 'object',
  properties: { token: { type: 'string', description: 'Text of the access token, shown once.' }, ...DESCRIBED },
  required: ['token', ...Object.keys(DESCRIBED)],
};
