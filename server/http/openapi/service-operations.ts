/** OpenAPI operations of the service's own routes, built from the table of routes. */
import { PATH_VARIABLES, type PathVariable, type Route, type RouteMethod } from '#contract/routes/route';
import { type RouteId, ROUTES } from '#contract/routes/routes';
import { SENDER_FORMAT_NAMES } from '#contract/routes/sender-formats';
import { SCOPES } from '#contract/tokens/token';
import { answerRef } from './answer-schemas';
import type { JsonSchema } from './json-types';
import { ISSUED_TOKEN, NEW_TOKEN, ROTATION, TOKEN, TOKEN_PATCH } from './token-schemas';
import { BULK_BODY, COLLECTOR_BODY, SHIPPER_RESPONSES, TEXT_BODY } from './shipper-schemas';
import { CALL_FIGURES, READINESS, STATUS } from './activity-schemas';
import { ANY_OBJECT, ERROR, ERROR_RESPONSE, jsonResponse, NOT_MODIFIED, resultResponse } from './responses';
import { callBody, SCALAR } from './call-body';
import { SECURITY } from './security';

/** Operations by path. OpenAPI 3.1 does not support the method QUERY; the description of POST mentions it. */
export function servicePaths(): Record<string, JsonSchema> {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  const routes: readonly (Route & { id: RouteId })[] = ROUTES;
  for (const route of routes)
    for (const method of route.methods)
      if (method !== 'QUERY') (paths[route.path] ??= {})[method.toLowerCase()] = operation(route, method);
  return paths;
}

function operation(route: Route & { id: RouteId }, method: Exclude<RouteMethod, 'QUERY'>): JsonSchema {
  const alsoQuery = method === 'POST' && route.methods.includes('QUERY');
  const body = method === 'GET' ? undefined : BODIES[route.id];
  return {
    operationId: route.methods.length > 1 && method !== 'GET' ? `${route.id}-${method.toLowerCase()}` : route.id,
    tags: ['service'],
    summary: route.purpose,
    ...(alsoQuery ? { description: 'The method QUERY does the same.' } : {}),
    security: route.scope === null ? [] : SECURITY,
    ...(route.scope === null ? {} : { 'x-scope': route.scope }),
    parameters: [...pathParameters(route.path), ...(PARAMETERS[route.id] ?? [])],
    ...(body === undefined ? {} : { requestBody: body }),
    responses: { default: ERROR_RESPONSE, ...responsesOf(route.id, method) },
  };
}

/** POST has no preconditions, so its caller always gets the rows. */
function responsesOf(id: RouteId, method: RouteMethod): Readonly<Record<string, JsonSchema>> {
  const { '304': notModified, ...others } = RESPONSES[id];
  return notModified === undefined || method === 'POST' ? others : { ...others, '304': notModified };
}

const PATH_PARAMETERS: Readonly<Record<PathVariable, JsonSchema>> = {
  q: { description: 'Id or name of a saved query.', schema: { type: 'string' } },
  s: { description: 'Name, alias or id of a source.', schema: { type: 'string' } },
  n: { description: 'Number of a revision.', schema: { type: 'integer', minimum: 1 } },
  id: { description: 'Id of an access token.', schema: { type: 'string' } },
  index: { description: 'Name of an index or a setting of Elasticsearch.', schema: { type: 'string' } },
  format: { description: 'Form of the events.', schema: { type: 'string', enum: SENDER_FORMAT_NAMES } },
};

function pathParameters(path: string): JsonSchema[] {
  return PATH_VARIABLES.filter((name) => path.includes(`{${name}}`)).map((name) => ({
    name,
    in: 'path',
    required: true,
    ...PATH_PARAMETERS[name],
  }));
}

const text = (name: string, description: string, required = false): JsonSchema => ({
  name,
  in: 'query',
  required,
  description,
  schema: { type: 'string' },
});

const OF_ALL_EVENTS: readonly JsonSchema[] = [
  text('project', 'Tenant of all events of the request; it replaces those that events name.'),
  {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Lets the server recognize a request that is sent again: the same key with the same body.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
];

const header = (name: string, description: string): JsonSchema => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
});

const IDEMPOTENCY_KEY = header(
  'Idempotency-Key',
  'A repeated request with the same key gets the first answer, for 24 h.'
);
const IF_MATCH = header('If-Match', 'The quoted revision that the change was made for, or `*`.');
const NOTE = header('SVC-ENDPOINT-CHANGE-NOTE', 'Note for the history, at most 500 characters, in UTF-8.');

/** A message of the Model Context Protocol. */
const JSON_RPC: JsonSchema = {
  type: 'object',
  required: ['jsonrpc'],
  properties: { jsonrpc: { const: '2.0' }, method: { type: 'string' }, params: { type: 'object' } },
};

const PAGE: readonly JsonSchema[] = [
  { name: 'limit', in: 'query', required: false, schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 } },
  text('cursor', '`next_cursor` of the page before.'),
];

const OF_COLLECTOR = [
  ...['source', 'index', 'sourcetype'].map((name) => text(name, 'Source of events that name none, when it is one.')),
  ...OF_ALL_EVENTS,
];

const OF_BULK = [text('source', 'Source of the documents; it outranks names of indexes.'), ...OF_ALL_EVENTS];

const PARAMETERS: { readonly [I in RouteId]?: readonly JsonSchema[] } = {
  call: [
    text('sql', 'An ad-hoc SELECT in the sandbox of the saved query.'),
    text('lql', 'An ad-hoc LQL text in the sandbox of the saved query, in the place of `sql`.'),
  ],
  list: PAGE,
  create: [IDEMPOTENCY_KEY, NOTE],
  replace: [IF_MATCH, header('If-None-Match', '`*` to create a saved query.'), NOTE],
  patch: [IF_MATCH, NOTE],
  delete: [IF_MATCH, NOTE],
  createSource: [IDEMPOTENCY_KEY, NOTE],
  replaceSource: [IF_MATCH, header('If-None-Match', '`*` to create a source.'), NOTE],
  patchSource: [IF_MATCH, NOTE],
  deleteSource: [
    {
      name: 'events',
      in: 'query',
      required: false,
      description: 'Whether its events are deleted, too, which cannot be undone.',
      schema: { type: 'string', enum: ['keep', 'delete'], default: 'keep' },
    },
    IF_MATCH,
    NOTE,
  ],
  sourceRevisions: PAGE,
  revisions: PAGE,
  restore: [IF_MATCH, IDEMPOTENCY_KEY, NOTE],
  restoreSource: [IF_MATCH, IDEMPOTENCY_KEY, NOTE],
  tokens: PAGE,
  purge: [NOTE],
  createToken: [IDEMPOTENCY_KEY, NOTE],
  changeToken: [NOTE],
  revokeToken: [NOTE],
  rotateToken: [IDEMPOTENCY_KEY, NOTE],
  audit: [
    ...PAGE,
    text('action', 'Only entries of this action, like `token.create`.'),
    text('object', 'Only entries of the saved query, source or token with this id or name.'),
    text('since', 'Only entries from this ISO 8601 time on.'),
    text('until', 'Only entries before this ISO 8601 time.'),
  ],
  openapi: [text('query', 'Only the operation of the saved query with this name or id.')],
  ingest: [text('source', 'Name, alias or id of a source. The body may name it, too.'), ...OF_ALL_EVENTS],
  ingestAs: [text('source', 'Name, alias or id of a source.', true), ...OF_ALL_EVENTS],
  otlp: [text('source', 'Source of the records that name none.'), ...OF_ALL_EVENTS],
  loki: [text('source', 'Source of the lines that name none.'), ...OF_ALL_EVENTS],
  bulk: OF_BULK,
  bulkOfIndex: OF_BULK,
  rootBulk: OF_BULK,
  rootBulkOfIndex: OF_BULK,
  collector: OF_COLLECTOR,
  collectorEvent: OF_COLLECTOR,
  collectorEvent1: OF_COLLECTOR,
  collectorRaw: OF_COLLECTOR,
  collectorRaw1: OF_COLLECTOR,
};

const BINARY: JsonSchema = { type: 'string', format: 'binary' };

const MESSAGE: JsonSchema = { type: 'string', maxLength: 500 };
const DEFINITION: JsonSchema = { $ref: '#/components/schemas/SavedQuery' };
const SOURCE_DEFINITION: JsonSchema = { $ref: '#/components/schemas/SourceDefinition' };

const definitionBody = (definition: JsonSchema): JsonSchema => ({
  required: true,
  content: {
    'application/json': {
      schema: { type: 'object', required: ['definition'], properties: { definition, message: MESSAGE } },
    },
    'application/yaml': { schema: { type: 'string' } },
  },
});

const PATCH_BODY: JsonSchema = {
  required: true,
  content: {
    'application/merge-patch+json': { schema: { type: 'object' } },
    'application/json': {
      schema: {
        type: 'object',
        required: ['definition'],
        properties: { definition: { type: 'object' }, message: MESSAGE },
      },
    },
  },
};

const MESSAGE_BODY: JsonSchema = {
  required: false,
  content: { 'application/json': { schema: { type: 'object', properties: { message: MESSAGE } } } },
};

const EVENTS_BODY: JsonSchema = {
  required: true,
  content: {
    'application/json': { schema: { type: ['object', 'array'] } },
    'application/x-ndjson': { schema: { type: 'string' } },
  },
};

const BODIES: { readonly [I in RouteId]?: JsonSchema } = {
  call: {
    content: {
      'application/json': { schema: callBody({ type: 'object', additionalProperties: SCALAR }, true) },
      'application/sql': { schema: { type: 'string' } },
    },
  },
  validate: {
    required: true,
    content: {
      'application/json': {
        schema: {
          oneOf: [
            { type: 'object', required: ['definition'], properties: { definition: { type: 'object' } } },
            { type: 'object', required: ['yaml'], properties: { yaml: { type: 'string' } } },
            ...['sql', 'lql'].map(adhocSchema),
          ],
        },
      },
    },
  },
  create: definitionBody(DEFINITION),
  replace: definitionBody(DEFINITION),
  patch: PATCH_BODY,
  createSource: definitionBody(SOURCE_DEFINITION),
  replaceSource: definitionBody(SOURCE_DEFINITION),
  patchSource: PATCH_BODY,
  deleteSource: MESSAGE_BODY,
  restore: MESSAGE_BODY,
  restoreSource: MESSAGE_BODY,
  delete: MESSAGE_BODY,
  preview: {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: {
            definition: DEFINITION,
            yaml: { type: 'string' },
            parameters: { type: 'object', additionalProperties: SCALAR },
            sql: { type: 'string' },
            lql: { type: 'string' },
          },
        },
      },
    },
  },
  createToken: { required: true, content: { 'application/json': { schema: NEW_TOKEN } } },
  changeToken: {
    required: true,
    content: { 'application/merge-patch+json': { schema: TOKEN_PATCH }, 'application/json': { schema: TOKEN_PATCH } },
  },
  rotateToken: { required: false, content: { 'application/json': { schema: ROTATION } } },
  ingest: EVENTS_BODY,
  ingestAs: EVENTS_BODY,
  otlp: {
    required: true,
    description: '`ExportLogsServiceRequest` of OTLP 1.x.',
    content: {
      'application/x-protobuf': { schema: BINARY },
      'application/json': { schema: { type: 'object', properties: { resourceLogs: { type: 'array' } } } },
    },
  },
  loki: {
    required: true,
    description: '`PushRequest` of Loki, in protobuf compressed with snappy, or in JSON.',
    content: {
      'application/x-protobuf': { schema: BINARY },
      'application/json': {
        schema: { type: 'object', required: ['streams'], properties: { streams: { type: 'array' } } },
      },
    },
  },
  bulk: BULK_BODY,
  bulkOfIndex: BULK_BODY,
  rootBulk: BULK_BODY,
  rootBulkOfIndex: BULK_BODY,
  collector: COLLECTOR_BODY,
  collectorEvent: COLLECTOR_BODY,
  collectorEvent1: COLLECTOR_BODY,
  collectorRaw: TEXT_BODY,
  collectorRaw1: TEXT_BODY,
  mcp: { required: true, content: { 'application/json': { schema: JSON_RPC } } },
};

function adhocSchema(language: string): JsonSchema {
  return {
    type: 'object',
    required: ['endpoint', language],
    properties: {
      endpoint: { type: 'string' },
      [language]: { type: 'string' },
      parameters: { type: 'object', additionalProperties: SCALAR },
    },
  };
}

const envelope = (result: JsonSchema): JsonSchema => ({ type: 'object', required: ['result'], properties: { result } });
const ok = (description: string, schema: JsonSchema): Record<'200', JsonSchema> => ({
  '200': jsonResponse(description, schema),
});

const pageOf = (items: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['result', 'next_cursor'],
  properties: { result: { type: 'array', items }, next_cursor: { type: ['string', 'null'] } },
});

const STORED = ok('What was stored.', {
  ...envelope(answerRef('Stored')),
  properties: { result: answerRef('Stored'), message: { const: 'Logged!' } },
});

const CHANGED = envelope(answerRef('ChangedSavedQuery'));

const CHANGED_SOURCE = envelope(answerRef('ChangedSource'));

const RPC_STATUS: JsonSchema = {
  type: 'object',
  required: ['code', 'message'],
  properties: { code: { type: 'integer' }, message: { type: 'string' } },
};

const RESPONSES: { readonly [I in RouteId]: Readonly<Record<string, JsonSchema>> } = {
  call: { '200': resultResponse(ANY_OBJECT), '304': NOT_MODIFIED },
  list: ok('One page.', pageOf(answerRef('SavedQuerySummary'))),
  create: { '201': jsonResponse('The new saved query.', CHANGED) },
  preview: { '200': resultResponse(ANY_OBJECT) },
  replace: {
    ...ok('The changed saved query.', CHANGED),
    '201': jsonResponse('The new saved query.', CHANGED),
  },
  patch: ok('The changed saved query.', CHANGED),
  delete: { '204': { description: 'Calls get 404 from now on.' } },
  revisions: ok('One page, newest first.', pageOf(answerRef('Revision'))),
  revision: ok(
    'The revision with its definition, as JSON and as the YAML that was sent.',
    envelope(answerRef('RevisionWithText'))
  ),
  restore: ok('The saved query in its new revision.', CHANGED),
  tokens: ok('One page, oldest first.', pageOf(TOKEN)),
  createToken: { '201': jsonResponse('The token with its text.', envelope(ISSUED_TOKEN)) },
  token: ok('The token.', envelope(TOKEN)),
  changeToken: ok('The changed token.', envelope(TOKEN)),
  revokeToken: { '204': { description: 'The token is not valid any more.' } },
  rotateToken: ok('The token with its new text.', envelope(ISSUED_TOKEN)),
  audit: ok('One page, newest first.', pageOf(answerRef('AuditEntry'))),
  read: { ...ok('The saved query.', envelope(answerRef('DescribedSavedQuery'))), '304': NOT_MODIFIED },
  validate: ok('The text is valid.', envelope(answerRef('ValidQuery'))),
  purge: { '204': { description: 'Nothing of it is cached any more.' } },
  sources: ok('All sources.', envelope({ type: 'array', items: answerRef('Source') })),
  createSource: { '201': jsonResponse('The new source.', CHANGED_SOURCE) },
  source: ok('The definition.', envelope(answerRef('ReadSource'))),
  replaceSource: {
    ...ok('The changed source.', CHANGED_SOURCE),
    '201': jsonResponse('The new source.', CHANGED_SOURCE),
  },
  patchSource: ok('The changed source.', CHANGED_SOURCE),
  deleteSource: { '204': { description: 'Events of it are refused from now on.' } },
  sourceRevisions: ok('One page, newest first.', pageOf(answerRef('Revision'))),
  sourceRevision: ok(
    'The revision with its definition, as JSON and as the YAML that was sent.',
    envelope(answerRef('RevisionWithText'))
  ),
  restoreSource: ok('The source in its new revision.', CHANGED_SOURCE),
  calls: ok('Saved queries with calls or cached results.', {
    type: 'object',
    required: ['since', 'result'],
    properties: { since: { type: 'string', format: 'date-time' }, result: { type: 'array', items: CALL_FIGURES } },
  }),
  status: ok('State of this server.', envelope(STATUS)),
  self: ok(
    'The limits of the token.',
    envelope({
      type: 'object',
      required: [
        'name',
        'scopes',
        'endpoints',
        'fixed_parameters',
        'tenant',
        'force_redaction',
        'max_rows',
        'expires_at',
      ],
      properties: {
        name: { type: 'string' },
        scopes: { type: 'array', items: { enum: SCOPES } },
        endpoints: { description: 'Ids or names, or `*`.', type: ['string', 'array'], items: { type: 'string' } },
        fixed_parameters: { description: 'Names, without their values.', type: 'array', items: { type: 'string' } },
        tenant: { type: ['string', 'null'] },
        force_redaction: { type: 'boolean' },
        max_rows: { type: ['integer', 'null'] },
        expires_at: { type: ['string', 'null'], format: 'date-time' },
      },
    })
  ),
  ingest: STORED,
  ingestAs: STORED,
  otlp: {
    '200': {
      description: '`ExportLogsServiceResponse`, in the type of the request; so are failures, as `google.rpc.Status`.',
      content: { 'application/x-protobuf': { schema: BINARY }, 'application/json': { schema: ANY_OBJECT } },
    },
    default: {
      description: 'A failure, as `google.rpc.Status` in the type of the request; as `Error` for any other type.',
      content: {
        'application/x-protobuf': { schema: BINARY },
        'application/json': { schema: { anyOf: [RPC_STATUS, ERROR] } },
      },
    },
  },
  loki: { '204': { description: 'Everything is stored.' } },
  ...SHIPPER_RESPONSES,
  mcp: {
    ...ok('The response to the message.', JSON_RPC),
    '202': { description: 'The message is a notification, which has no response.' },
    '400': jsonResponse('A failure of the protocol, or of the request.', { anyOf: [JSON_RPC, ERROR] }),
  },
  live: ok('The process is running.', ANY_OBJECT),
  ready: { ...ok('Calls can be answered.', READINESS), '503': jsonResponse('They cannot be answered.', READINESS) },
  metrics: { '200': { description: 'Metrics.', content: { 'text/plain': { schema: { type: 'string' } } } } },
  openapi: ok('This document.', ANY_OBJECT),
};
