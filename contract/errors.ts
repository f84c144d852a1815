/**
 * Every failure that the service reports to a caller: one table of codes, with the HTTP status of each. The class
 * travels between processes as a plain `ErrorBody`. `server/http/response/error-response.ts` renders it for HTTP, and
 * `server/http/mcp/run-tool.ts` as the result of a tool.
 */
import { asSentence } from './as-sentence';

/** HTTP status and fixed title (RFC 9457 `title`) of each code. */
export const ERROR_CODES = {
  parameter_missing: { status: 400, title: 'A required parameter is missing' },
  parameter_invalid: { status: 400, title: 'A parameter has a value that is not allowed' },
  parameter_duplicate: { status: 400, title: 'A parameter is given twice' },
  parameter_unknown: { status: 400, title: 'A parameter is not declared' },
  parameter_conflict: { status: 400, title: 'Two parts of the request contradict each other' },
  header_invalid: { status: 400, title: 'A request header has a value that is not allowed' },
  request_invalid: { status: 400, title: 'The request is not valid HTTP' },
  encoding_invalid: { status: 400, title: 'Text is not valid UTF-8 or holds a NUL character' },
  body_invalid: { status: 400, title: 'The request body cannot be read' },
  sql_empty: { status: 400, title: 'The query is empty' },
  sql_syntax: { status: 400, title: 'The query cannot be parsed' },
  query_invalid: { status: 400, title: 'The query is not valid' },
  sandbox_violation: { status: 400, title: 'The query reaches outside its sandbox' },
  sandbox_disabled: { status: 400, title: 'The saved query has no sandbox' },
  query_too_complex: { status: 400, title: 'The query is too large or too deep' },
  scope_conflict: { status: 400, title: 'The scopes and limits of the access token contradict each other' },
  token_missing: { status: 401, title: 'No access token was sent' },
  token_invalid: { status: 401, title: 'The access token is not valid' },
  scope_missing: { status: 403, title: 'The access token lacks a scope' },
  parameter_locked: { status: 403, title: 'The access token fixes a parameter to another value' },
  token_exceeded: { status: 403, title: 'The change gives more than the access token has' },
  origin_denied: { status: 403, title: 'Pages of this origin may not call the route' },
  tenant_denied: { status: 403, title: 'The access token of a tenant may not do this' },
  endpoint_not_found: { status: 404, title: 'There is no such endpoint' },
  revision_not_found: { status: 404, title: 'There is no such revision' },
  token_not_found: { status: 404, title: 'There is no such access token' },
  route_not_found: { status: 404, title: 'There is no such route' },
  source_not_found: { status: 404, title: 'There is no such source' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  not_acceptable: { status: 406, title: 'No acceptable format' },
  request_timeout: { status: 408, title: 'The request did not arrive in time' },
  body_too_slow: { status: 408, title: 'The request body arrives too slowly' },
  name_taken: { status: 409, title: 'The name or id is in use' },
  endpoint_in_use: { status: 409, title: 'Another saved query depends on this one' },
  source_in_use: { status: 409, title: 'Saved queries or syslog listeners depend on this source' },
  managed_elsewhere: { status: 409, title: 'It is managed in a file' },
  last_admin: { status: 409, title: 'The last token that may manage tokens stays' },
  limit_reached: { status: 409, title: 'The service keeps no more of these' },
  revision_conflict: { status: 412, title: 'There is a newer revision' },
  body_too_large: { status: 413, title: 'The request body is too large' },
  uri_too_long: { status: 414, title: 'The request target is too long' },
  media_type_unsupported: { status: 415, title: 'The media type or coding of the body is not supported' },
  headers_too_large: { status: 431, title: 'The request headers are too large' },
  definition_invalid: { status: 422, title: 'The definition is not valid' },
  idempotency_conflict: { status: 422, title: 'The Idempotency-Key was used for another request' },
  batch_refused: { status: 422, title: 'The batch is refused' },
  resource_limit: { status: 422, title: 'The run passed a resource limit' },
  precondition_required: { status: 428, title: 'The request needs If-Match or If-None-Match' },
  rate_limited: { status: 429, title: 'Too many requests in a minute' },
  concurrency_limited: { status: 429, title: 'The token has too many calls at once' },
  internal: { status: 500, title: 'Internal error' },
  backend_error: { status: 502, title: 'The store failed' },
  backend_unavailable: { status: 503, title: 'The store is not available' },
  catalog_unavailable: { status: 503, title: 'The catalog is not available' },
  cache_unavailable: { status: 503, title: 'The shared cache is not available' },
  overloaded: { status: 503, title: 'The service is overloaded' },
  draining: { status: 503, title: 'The service is shutting down' },
  query_timeout: { status: 504, title: 'The run passed its deadline' },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** Hint for a run that needs more time or memory than it may use. */
export const READ_LESS =
  'read less: a shorter time, a stricter filter, fewer columns; join on equal values, and group before a join';

/** A position in the caller's text. Both numbers are 1-based; `column` counts UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Details of an error. Values must come from the caller's own request, never from hidden query text, engine messages or
 * rows.
 */
export interface ErrorDetails {
  /** A more specific code of the SQL or LQL front end, e.g. `unknown_column`. */
  readonly reason?: string;
  readonly position?: Position;
  readonly hint?: string;
  readonly [key: string]: unknown;
}

/** Serialized form of an error, for transfer between processes. */
export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails;
}

/** The class of all expected failures. Anything else that is thrown is a bug and becomes `internal`. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ServiceError';
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return ERROR_CODES[this.code].status;
  }

  /** The message as a caller reads it. The text of a call of ERROR stays as its author wrote it. */
  get sentence(): string {
    return this.details.reason === 'error_called' ? this.message : asSentence(this.message);
  }

  toBody(): ErrorBody {
    return { code: this.code, message: this.message, details: this.details };
  }

  static fromBody(body: ErrorBody): ServiceError {
    return new ServiceError(body.code, body.message, body.details);
  }
}
