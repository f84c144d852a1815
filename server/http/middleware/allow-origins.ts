/**
 * CORS: pages of the listed origins may call the service and read its responses. Runs before any check, so that errors
 * and cached responses are readable too. The cache stores no headers, so responses never carry those of another origin.
 */
import type { IncomingMessage } from 'node:http';
import { ROUTES } from '#contract/routes/routes';
import { VARY } from './identify-request';
import type { HttpHandler } from './in-order';

const METHODS = [...new Set(['GET', 'HEAD', ...ROUTES.flatMap(({ methods }): readonly string[] => methods)])].join(
  ', '
);

const REQUEST_HEADERS = [
  'X-API-KEY',
  'Authorization',
  'Content-Type',
  'Content-Encoding',
  'Cache-Control',
  'If-None-Match',
  'If-Match',
  'Idempotency-Key',
  'X-Source',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'SVC-ENDPOINT-CHANGE-NOTE',
  'SVC-ENDPOINT-REDACT-PII',
  'LF-ENDPOINT-REDACT-PII',
  'SVC-ENDPOINT-META',
  'SVC-ENDPOINT-TIMESTAMPS',
  'X-Request-Id',
  'traceparent',
].join(', ');

/** Response headers that a page may read beyond the default ones. */
const ANSWER_HEADERS = [
  'SVC-ENDPOINT-ROWS',
  'SVC-ENDPOINT-TRUNCATED',
  'SVC-ENDPOINT-REDACTED',
  'SVC-ENDPOINT-REVISION',
  'SVC-ENDPOINT-IGNORED-PARAMETERS',
  'SVC-ENDPOINT-WARNINGS',
  'Age',
  'Allow',
  'Cache-Status',
  'Content-Encoding',
  'ETag',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Server-Timing',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

/** Two hours: the longest duration that all browsers respect. */
const MAX_AGE_SECONDS = '7200';

/** @param origins exact origins; an empty list disables CORS */
export function allowOrigins(origins: readonly string[]): HttpHandler {
  if (origins.length === 0) return (_req, _res, next) => next();
  const allowed = new Set(origins);
  return (req, res, next) => {
    res.setHeader('Vary', `${VARY}, Origin`);
    const origin = originOf(req);
    if (origin !== undefined && allowed.has(origin)) {
      res.setHeader('Access-Control-Allow-Origin', origin);
      res.setHeader('Access-Control-Expose-Headers', ANSWER_HEADERS);
      // The route's response to OPTIONS completes the preflight.
      if (isPreflight(req)) {
        res.setHeader('Access-Control-Allow-Methods', METHODS);
        res.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS);
        res.setHeader('Access-Control-Max-Age', MAX_AGE_SECONDS);
      }
    }
    next();
  };
}

function originOf(req: IncomingMessage): string | undefined {
  const values = req.headersDistinct['origin'];
  return values?.length === 1 ? values[0] : undefined;
}

function isPreflight(req: IncomingMessage): boolean {
  return req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined;
}
