/** What every request must keep to, before any route looks at it: sizes, one Host, no access token in the URL. */
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { ServiceError } from '#contract/errors';
import type { HttpLimits } from '../../config';
import { holdsTokenText } from '../../tokens/token-text';
import { queryOf } from '../parsing/query-string';

/** @param isSecret recognises a key that has no form of its own. */
export function checkRequest(limits: HttpLimits, isSecret: (text: string) => boolean): RequestHandler {
  return (req, _res, next) => {
    const target = req.url;
    if (target.length > limits.maxUrlBytes)
      throw new ServiceError('uri_too_long', `The request target has more than ${limits.maxUrlBytes} bytes.`, {
        max_bytes: limits.maxUrlBytes,
        hint: 'send long text in the body, with QUERY or POST',
      });
    ensureHeaderSize(req, limits.maxHeaderBytes);
    ensureVersion(req);
    ensureHost(req);
    ensureNoKey(req, isSecret);
    next();
  };
}

/** Names under which keys are sent in URLs elsewhere; nothing else is meant by them. */
const KEY_NAMES = ['api_key', 'apikey', 'api-key', 'x-api-key', 'x_api_key', 'access_token'];

function ensureNoKey(req: IncomingMessage, isSecret: (text: string) => boolean): void {
  if (holdsTokenText(req.url ?? '')) throw keyInUrl();
  for (const [name, value] of queryOf(req)) {
    if (KEY_NAMES.includes(name.toLowerCase()) || [name, value].some((text) => holdsTokenText(text) || isSecret(text)))
      throw keyInUrl();
  }
}

/** URLs end up in logs, histories and referrers, so a key that was in one is known to others. */
function keyInUrl(): ServiceError {
  return new ServiceError(
    'parameter_invalid',
    'An access token must not be part of the URL. Send it in the X-API-KEY header.',
    {
      reason: 'key_in_url',
      hint: 'if it was a real token, rotate it: URLs are kept in many places',
    }
  );
}

function ensureHeaderSize(req: IncomingMessage, maxBytes: number): void {
  const separators = ': \r\n'.length;
  let bytes = 0;
  for (const part of req.rawHeaders) bytes += part.length;
  if (bytes + (req.rawHeaders.length / 2) * separators > maxBytes)
    throw new ServiceError('headers_too_large', `The request headers have more than ${maxBytes} bytes.`, {
      max_bytes: maxBytes,
    });
}

/** The parser takes a request line without a version for HTTP/0.9, whose callers could not read our answers. */
function ensureVersion(req: IncomingMessage): void {
  if (req.httpVersion !== '1.1' && req.httpVersion !== '1.0')
    throw new ServiceError('request_invalid', 'The request must be HTTP/1.1 or HTTP/1.0.');
}

function ensureHost(req: IncomingMessage): void {
  const hosts = req.headersDistinct['host'] ?? [];
  if (hosts.length > 1 || (hosts.length === 0 && req.httpVersion === '1.1'))
    throw new ServiceError('request_invalid', 'The request must have exactly one Host header.');
}
