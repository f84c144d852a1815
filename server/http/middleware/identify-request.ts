/** Gives each request an id and a trace id, and each response its fixed headers. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { holdsTokenText } from '../../catalog/tokens/secrets/token-text';
import { type RequestFacts, setRequestFacts } from '../request/request-facts';
import type { HttpHandler } from './in-order';
import { newTraceId } from '../parsing/trace-id';

export const ALWAYS_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
};

const ALWAYS_ENTRIES = Object.entries(ALWAYS_HEADERS);

export const VARY =
  'Accept, Accept-Encoding, X-API-KEY, Authorization, SVC-ENDPOINT-REDACT-PII, LF-ENDPOINT-REDACT-PII, ' +
  'SVC-ENDPOINT-META, SVC-ENDPOINT-TIMESTAMPS';

/** @param isSecret recognizes keys that do not have the token format */
export function identifyRequest(isSecret: (text: string) => boolean): HttpHandler {
  return (req, res, next) => {
    const facts = readFacts(req, isSecret);
    setRequestFacts(req, facts);
    setAlwaysHeaders(res, facts);
    next();
  };
}

export function newRequestId(): string {
  return randomUUID();
}

function setAlwaysHeaders(res: ServerResponse, facts: RequestFacts): void {
  for (const [name, value] of ALWAYS_ENTRIES) res.setHeader(name, value);
  res.setHeader('Vary', VARY);
  res.setHeader('X-Request-Id', facts.id);
  res.setHeader('Server-Timing', `trace;desc="${facts.traceId}"`);
}

function readFacts(req: IncomingMessage, isSecret: (text: string) => boolean): RequestFacts {
  const given = givenId(req);
  const isUsable = given !== undefined && !holdsTokenText(given) && !isSecret(given);
  return {
    id: isUsable ? given : newRequestId(),
    traceId: givenTraceId(req) ?? newTraceId(),
    startedAtMs: performance.now(),
  };
}

function givenId(req: IncomingMessage): string | undefined {
  const values = req.headersDistinct['x-request-id'];
  return values?.length === 1 && /^[A-Za-z0-9._-]{1,128}$/.test(values[0]!) ? values[0] : undefined;
}

/** Trace id of a valid `traceparent` [W3C Trace Context]. Unknown versions may have more than the four fields. */
function givenTraceId(req: IncomingMessage): string | undefined {
  const values = req.headersDistinct['traceparent'];
  if (values?.length !== 1) return undefined;
  const match = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/.exec(values[0]!);
  if (!match || match[1] === 'ff' || (match[1] === '00' && match[4] !== undefined)) return undefined;
  const isZero = /^0+$/.test(match[2]!) || /^0+$/.test(match[3]!);
  return isZero ? undefined : match[2];
}
