/**
 * CORS: pages of the listed origins may call the service and read its answers. Runs before anything can refuse a request, so that
 * errors and answers from the cache can be read too; no answer is kept with its headers, so none has those of another origin.
 */
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { ROUTES } from '#contract/routes';
import { VARY } from './identify-request';

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
  'SVC-ENDPOINT-REDACT-PII',
  'LF-ENDPOINT-REDACT-PII',
  'SVC-ENDPOINT-META',
  'SVC-ENDPOINT-TIMESTAMPS',
  'X-Request-Id',
  'traceparent',
].join(', ');

/** What a page may read beside the few headers that it always may. */
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
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Server-Timing',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

/** Two hours: the longest that every browser keeps to. */
const MAX_AGE_SECONDS = '7200';

/** @param origins exact ones; with none of them no answer says anything of CORS */
export function allowOrigins(origins: readonly string[]): RequestHandler {
  if (origins.length === 0) return (_req, _res, next) => next();
  const allowed = new Set(origins);
  return (req, res, next) => {
    res.setHeader('Vary', `${VARY}, Origin`);
    const origin = originOf(req);
    if (origin !== undefined && allowed.has(origin)) {
      res.setHeader('Access-Control-Allow-Origin', origin);
      res.setHeader('Access-Control-Expose-Headers', ANSWER_HEADERS);
      // The answer itself is that of OPTIONS to the route.
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
