/** Responses shared by several operations. */
import { ERROR_CODES } from '#contract/errors';
import type { JsonSchema } from './json-types';

export const ERROR: JsonSchema = { $ref: '#/components/schemas/Error' };
export const ERROR_RESPONSE: JsonSchema = { $ref: '#/components/responses/Error' };

/** 304, for cached results and saved queries, which have an ETag. */
export const NOT_MODIFIED: JsonSchema = { description: 'The caller holds the same already (`If-None-Match`).' };

export function jsonResponse(description: string, schema: JsonSchema): JsonSchema {
  return { description, content: { 'application/json': { schema } } };
}

/** An object of any members. Without `additionalProperties`, generators of clients take it for an empty one. */
export const ANY_OBJECT: JsonSchema = { type: 'object', additionalProperties: true };

/**
 * JSON alone: a client that is generated from several media types has no type for rows. The description of the
 * operation names the others.
 */
export function resultResponse(row: JsonSchema): JsonSchema {
  return {
    ...jsonResponse('The rows.', {
      type: 'object',
      required: ['result'],
      properties: { result: { type: 'array', items: row }, meta: META },
    }),
    headers: RESULT_HEADERS,
  };
}

export const OTHER_FORMATS =
  'With `Accept` also as `application/x-ndjson`, `text/csv` or `application/vnd.apache.arrow.stream`.';

const META: JsonSchema = {
  type: 'object',
  description: 'With the request header `SVC-ENDPOINT-META: true`.',
  additionalProperties: true,
  properties: {
    columns: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'type'],
        additionalProperties: true,
        properties: { name: { type: 'string' }, type: { type: 'string' } },
      },
    },
    rows: { type: 'integer' },
    truncated: { type: 'boolean' },
    redacted: { type: 'boolean' },
    revision: { type: 'integer' },
    elapsed_ms: { type: 'number' },
    scanned_rows: { type: ['integer', 'null'] },
  },
};

const RESULT_HEADERS: JsonSchema = {
  'SVC-ENDPOINT-ROWS': { description: 'Rows in this body.', schema: { type: 'integer' } },
  'SVC-ENDPOINT-TRUNCATED': {
    description: '`true` when the row or byte cap cut the result.',
    schema: { type: 'string' },
  },
  'SVC-ENDPOINT-REDACTED': { description: '`true` when redaction was on.', schema: { type: 'string' } },
  'SVC-ENDPOINT-REVISION': { description: 'Revision of the saved query that ran.', schema: { type: 'integer' } },
  'SVC-ENDPOINT-WARNINGS': {
    description: 'Codes of what in an LQL text is surely not meant.',
    schema: { type: 'string' },
  },
  'SVC-ENDPOINT-IGNORED-PARAMETERS': { description: 'Names that mean nothing here.', schema: { type: 'string' } },
  'Cache-Status': {
    description: 'What the cache did: `hit`, `fwd=miss`, `fwd=request` or `fwd=bypass`.',
    schema: { type: 'string' },
  },
  Age: { description: 'Seconds since the run, when the result is cached.', schema: { type: 'integer' } },
  ETag: { description: 'Of a cached result, for `If-None-Match`.', schema: { type: 'string' } },
};

export const ERROR_COMPONENT: JsonSchema = {
  description:
    'A failure. Clients branch on `code`. With `Accept: application/problem+json` in the form of the schema `Problem`.',
  content: { 'application/json': { schema: ERROR } },
};

const CODE: JsonSchema = { type: 'string', enum: Object.keys(ERROR_CODES) };
export const POSITION: JsonSchema = {
  type: 'object',
  required: ['line', 'column'],
  properties: { line: { type: 'integer', minimum: 1 }, column: { type: 'integer', minimum: 1 } },
};
const FACTS: Readonly<Record<string, JsonSchema>> = {
  reason: { type: 'string' },
  hint: { type: 'string' },
  position: POSITION,
};
const DETAILS: JsonSchema = {
  type: 'object',
  required: ['request_id'],
  properties: { request_id: { type: 'string' }, ...FACTS },
};

/** An error inside of an answer, which has no request of its own. */
export const PROBLEM_OF_QUERY: JsonSchema = {
  type: 'object',
  required: ['code', 'message', 'details'],
  properties: { code: CODE, message: { type: 'string' }, details: { type: 'object', properties: FACTS } },
};

export const ERROR_SCHEMAS: Readonly<Record<'Error' | 'Problem', JsonSchema>> = {
  Error: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', 'details'],
        properties: { code: CODE, message: { type: 'string' }, details: DETAILS },
      },
    },
  },
  Problem: {
    type: 'object',
    required: ['type', 'title', 'status', 'detail', 'code', 'details'],
    properties: {
      type: { type: 'string', format: 'uri-reference' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      code: CODE,
      details: DETAILS,
    },
  },
};
