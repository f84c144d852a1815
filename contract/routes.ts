/** Every route the service has. The router is built from this table, and `docs/http-api.md` is tested against it. */
import { BULK_ROUTES, ELASTICSEARCH_ROUTES, SPLUNK_ROUTES } from './shipper-routes';
import { type Scope, SCOPES } from './token';

export type RouteMethod = 'GET' | 'POST' | 'QUERY' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Variable segments of paths: id or name of a saved query, number of a revision, id of a token, name of an index, form of
 * events.
 */
export const PATH_VARIABLES = ['q', 'n', 'id', 'index', 'format'] as const;
export type PathVariable = (typeof PATH_VARIABLES)[number];

export interface Route {
  readonly id: string;
  readonly methods: readonly RouteMethod[];
  /** Path of the route, with `PATH_VARIABLES` in braces. */
  readonly path: string;
  /** Scope that the token needs, or any one of several; null: no token needed. */
  readonly scope: Scope | readonly Scope[] | null;
  /** Requests do not count against the rate of their token: responses already limit the speed of ingestion. */
  readonly isUncounted?: true;
  /** Every answer has `Cache-Control: no-store`, since some of the path contain a secret. */
  readonly isUncacheable?: true;
  readonly purpose: string;
}

/** `GET` includes `HEAD`. Paths are literal except for their variables; the first match wins. */
export const ROUTES = [
  {
    id: 'call',
    methods: ['GET', 'POST', 'QUERY'],
    path: '/api/endpoints/query/{q}',
    scope: 'query',
    purpose: 'Run a saved query, or an ad-hoc query in its sandbox (scope `adhoc` too).',
  },
  {
    id: 'list',
    methods: ['GET'],
    path: '/api/endpoints',
    scope: 'endpoints:read',
    purpose: 'List the saved queries the token sees, page by page.',
  },
  {
    id: 'create',
    methods: ['POST'],
    path: '/api/endpoints',
    scope: 'endpoints:write',
    purpose: 'Create a saved query.',
  },
  {
    id: 'validate',
    methods: ['POST'],
    path: '/api/endpoints/validate',
    scope: 'endpoints:read',
    purpose: 'Check a definition or ad-hoc text; nothing is run.',
  },
  {
    id: 'preview',
    methods: ['POST'],
    path: '/api/endpoints/preview',
    scope: 'endpoints:write',
    purpose: 'Run a definition that is not stored, at most 100 rows, never cached.',
  },
  {
    id: 'read',
    methods: ['GET'],
    path: '/api/endpoints/{q}',
    scope: 'endpoints:read',
    purpose: 'Read one saved query: definition, parameters, fields, sandbox tables with their columns.',
  },
  {
    id: 'replace',
    methods: ['PUT'],
    path: '/api/endpoints/{q}',
    scope: 'endpoints:write',
    purpose: 'Replace the whole definition of a saved query, or create it.',
  },
  {
    id: 'patch',
    methods: ['PATCH'],
    path: '/api/endpoints/{q}',
    scope: 'endpoints:write',
    purpose: 'Change some fields of a saved query (JSON merge patch, RFC 7396).',
  },
  {
    id: 'delete',
    methods: ['DELETE'],
    path: '/api/endpoints/{q}',
    scope: 'endpoints:write',
    purpose: 'Delete a saved query; its revisions stay and can be restored.',
  },
  {
    id: 'revisions',
    methods: ['GET'],
    path: '/api/endpoints/{q}/revisions',
    scope: 'endpoints:read',
    purpose: 'List the revisions of a saved query, newest first, page by page.',
  },
  {
    id: 'revision',
    methods: ['GET'],
    path: '/api/endpoints/{q}/revisions/{n}',
    scope: 'endpoints:read',
    purpose: 'Read one revision of a saved query.',
  },
  {
    id: 'restore',
    methods: ['POST'],
    path: '/api/endpoints/{q}/revisions/{n}/restore',
    scope: 'endpoints:write',
    purpose: 'Make the definition of an earlier revision the newest one.',
  },
  {
    id: 'purge',
    methods: ['DELETE'],
    path: '/api/endpoints/{q}/cache',
    scope: 'endpoints:write',
    purpose: 'Drop the cached results of one saved query.',
  },
  {
    id: 'sources',
    methods: ['GET'],
    path: '/api/sources',
    scope: ['endpoints:read', 'endpoints:write'],
    purpose: 'List the sources: columns, retention, number and age of their events.',
  },
  {
    id: 'calls',
    methods: ['GET'],
    path: '/api/calls',
    scope: 'endpoints:read',
    purpose: 'Calls of the last hour by saved query: number, durations, failures, cached results.',
  },
  {
    id: 'status',
    methods: ['GET'],
    path: '/api/status',
    scope: 'metrics:read',
    purpose: 'State of this server and its parts, and the slowest calls of the last hour.',
  },
  {
    id: 'self',
    methods: ['GET'],
    path: '/api/token',
    scope: SCOPES,
    purpose: 'Read what the token of the request may do.',
  },
  {
    id: 'tokens',
    methods: ['GET'],
    path: '/api/tokens',
    scope: 'tokens:admin',
    isUncacheable: true,
    purpose: 'List the access tokens, page by page, revoked ones too.',
  },
  {
    id: 'createToken',
    methods: ['POST'],
    path: '/api/tokens',
    scope: 'tokens:admin',
    isUncacheable: true,
    purpose: 'Create an access token; its text is in this answer only.',
  },
  {
    id: 'token',
    methods: ['GET'],
    path: '/api/tokens/{id}',
    scope: 'tokens:admin',
    isUncacheable: true,
    purpose: 'Read one access token, without its text.',
  },
  {
    id: 'changeToken',
    methods: ['PATCH'],
    path: '/api/tokens/{id}',
    scope: 'tokens:admin',
    isUncacheable: true,
    purpose: 'Change an access token by a merge patch; its text stays.',
  },
  {
    id: 'revokeToken',
    methods: ['DELETE'],
    path: '/api/tokens/{id}',
    scope: 'tokens:admin',
    isUncacheable: true,
    purpose: 'Revoke an access token; its entry stays.',
  },
  {
    id: 'rotateToken',
    methods: ['POST'],
    path: '/api/tokens/{id}/rotate',
    scope: 'tokens:admin',
    isUncacheable: true,
    purpose: 'Give an access token a new text, which is in this answer only.',
  },
  {
    id: 'audit',
    methods: ['GET'],
    path: '/api/audit',
    scope: 'tokens:admin',
    isUncacheable: true,
    purpose: 'Read the audit trail of saved queries and tokens, newest first, page by page.',
  },
  {
    id: 'ingest',
    methods: ['POST'],
    path: '/api/logs',
    scope: 'ingest',
    isUncounted: true,
    purpose: 'Store log events of one source.',
  },
  {
    id: 'ingestAs',
    methods: ['POST'],
    path: '/api/logs/{format}',
    scope: 'ingest',
    isUncounted: true,
    purpose: 'Store log events of one source in the form of a service that sends them, such as `vercel`.',
  },
  {
    id: 'otlp',
    methods: ['POST'],
    path: '/v1/logs',
    scope: 'ingest',
    isUncounted: true,
    purpose: 'Store log records sent by OTLP/HTTP, in protobuf or JSON.',
  },
  {
    id: 'loki',
    methods: ['POST'],
    path: '/loki/api/v1/push',
    scope: 'ingest',
    isUncounted: true,
    purpose: 'Store log lines sent by Loki’s push, in protobuf or JSON.',
  },
  ...ELASTICSEARCH_ROUTES,
  ...SPLUNK_ROUTES,
  {
    id: 'mcp',
    methods: ['POST'],
    path: '/mcp',
    scope: 'query',
    isUncacheable: true,
    purpose: 'Saved queries as tools of agents, in the Model Context Protocol.',
  },
  { id: 'live', methods: ['GET'], path: '/health/live', scope: null, purpose: 'Liveness: the process is running.' },
  { id: 'ready', methods: ['GET'], path: '/health/ready', scope: null, purpose: 'Readiness: it can answer requests.' },
  {
    id: 'metrics',
    methods: ['GET'],
    path: '/metrics',
    scope: 'metrics:read',
    purpose: 'Counters and gauges in the text format of Prometheus.',
  },
  {
    id: 'openapi',
    methods: ['GET'],
    path: '/api/openapi.json',
    scope: null,
    purpose: 'OpenAPI 3.1 description; saved queries are in it for a token with scope `endpoints:read`.',
  },
  ...BULK_ROUTES,
] as const satisfies readonly Route[];

export type RouteId = (typeof ROUTES)[number]['id'];
