/** Renders errors as responses: the only place where an error becomes bytes, for the app and for the HTTP parser. */
import { ERROR_CODES, type ErrorCode, type ErrorDetails, ServiceError } from '#contract/errors';
import { CatalogError, catalogUnavailable } from '../../catalog/database/catalog-error';
import { hideTokenTexts } from '../../catalog/tokens/secrets/token-text';
import { collectorFailure, collectorStatus } from '../ingest/collector-answer';
import { encodeOtlpStatus, OTLP_TYPES } from '../ingest/otlp-response';

export interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/**
 * `plain`: the service's own format. `message`: with message and hint beside it. `problem`: RFC 9457. `elasticsearch`
 * and `splunk`: their keys beside ours. The others: `google.rpc.Status`.
 */
export type ErrorShape =
  'plain' | 'message' | 'problem' | 'elasticsearch' | 'splunk' | 'status-json' | 'status-protobuf';

export function renderError(error: ServiceError, requestId: string, shape: ErrorShape): ErrorResponse {
  return {
    status: shape === 'splunk' ? collectorStatus(error.status) : error.status,
    headers: { 'Content-Type': ERROR_TYPES[shape], ...SHAPE_HEADERS[shape], ...errorHeaders(error) },
    bytes: errorBytes(error, requestId, shape),
  };
}

const ERROR_TYPES: Readonly<Record<ErrorShape, string>> = {
  plain: 'application/json; charset=utf-8',
  message: 'application/json; charset=utf-8',
  problem: 'application/problem+json',
  elasticsearch: 'application/json; charset=utf-8',
  splunk: 'application/json; charset=utf-8',
  'status-json': OTLP_TYPES.json,
  'status-protobuf': OTLP_TYPES.protobuf,
};

/** Official clients of Elasticsearch refuse answers without its header. */
const SHAPE_HEADERS: { readonly [S in ErrorShape]?: Readonly<Record<string, string>> } = {
  elasticsearch: { 'X-Elastic-Product': 'Elasticsearch' },
};

function errorBytes(error: ServiceError, requestId: string, shape: ErrorShape): Buffer {
  if (shape === 'status-json') return encodeOtlpStatus('json', error, requestId);
  if (shape === 'status-protobuf') return encodeOtlpStatus('protobuf', error, requestId);
  const { code, sentence: message, status } = error;
  const details = { ...error.details, request_id: requestId };
  return Buffer.from(hideTokenTexts(JSON.stringify(errorBody(shape, { code, message, status, details }))));
}

interface ErrorFacts {
  readonly code: ErrorCode;
  readonly message: string;
  readonly status: number;
  readonly details: ErrorDetails;
}

function errorBody(shape: ErrorShape, { code, message, status, details }: ErrorFacts): object {
  const error = { code, message, details };
  switch (shape) {
    case 'problem':
      return { type: `/problems/${code}`, title: ERROR_CODES[code].title, status, detail: message, code, details };
    case 'elasticsearch': {
      const cause = { type: code, reason: message };
      return { error: { ...cause, root_cause: [cause], ...error }, status };
    }
    case 'splunk':
      return { ...collectorFailure(code, details), error };
    case 'message':
      return { message: messageWithHint(message, details.hint), error };
    default:
      return { error };
  }
}

/** For clients that show nothing else of an error. */
function messageWithHint(message: string, hint: unknown): string {
  return typeof hint === 'string' ? `${message.replace(/\.$/, '')}. Hint: ${hint}` : message;
}

/** Unexpected errors become `internal` and reveal nothing. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error.code === 'internal' ? internalError(error) : error;
  if (error instanceof CatalogError) return catalogUnavailable(error);
  if (error instanceof URIError)
    return new ServiceError('encoding_invalid', 'The path is not valid percent-encoded UTF-8.');
  return internalError(error);
}

function internalError(cause: unknown): ServiceError {
  return new ServiceError(
    'internal',
    'Something went wrong on our side. The request id finds it in our logs.',
    {},
    { cause }
  );
}

/** Default `Retry-After` in seconds. */
const RETRY_AFTER: { readonly [C in ErrorCode]?: number } = {
  concurrency_limited: 1,
  overloaded: 1,
  backend_unavailable: 2,
  catalog_unavailable: 5,
  cache_unavailable: 2,
  draining: 5,
};

function errorHeaders(error: ServiceError): Record<string, string> {
  if (error.status === 401) return { 'WWW-Authenticate': 'ApiKey realm="log-query"' };
  const retryAfter = error.details['retry_after_seconds'];
  const seconds = typeof retryAfter === 'number' ? Math.max(1, Math.ceil(retryAfter)) : RETRY_AFTER[error.code];
  return seconds === undefined ? {} : { 'Retry-After': String(seconds) };
}
