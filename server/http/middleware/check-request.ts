/** Checks every request before routing: sizes, one valid Host, no fragment and no access token in the URL. */
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '#contract/errors';
import type { HttpLimits } from '../../config';
import { holdsTokenText } from '../../catalog/tokens/secrets/token-text';
import { queryOf } from '../parsing/query-string';
import type { HttpHandler } from './in-order';

/** @param isSecret recognizes keys that do not have the token format */
export function checkRequest(limits: HttpLimits, isSecret: (text: string) => boolean): HttpHandler {
  return (req, _res, next) => {
    const target = req.url ?? '';
    if (target.length > limits.maxUrlBytes)
      throw new ServiceError('uri_too_long', `The request target has more than ${limits.maxUrlBytes} bytes.`, {
        max_bytes: limits.maxUrlBytes,
        hint: 'send long text in the body, with QUERY or POST',
      });
    ensureHeaderSize(req, limits.maxHeaderBytes);
    ensureVersion(req);
    ensureTransferCoding(req);
    ensureHost(req);
    ensureNoFragment(target);
    ensureNoKey(req, isSecret);
    next();
  };
}

/** Parameter names that other services use for keys in URLs; none is a parameter here. */
const KEY_NAMES = ['api_key', 'apikey', 'api-key', 'x-api-key', 'x_api_key', 'access_token'];

function ensureNoKey(req: IncomingMessage, isSecret: (text: string) => boolean): void {
  if (holdsTokenText(req.url ?? '')) throw keyInUrl();
  for (const [name, value] of queryOf(req)) {
    if (KEY_NAMES.includes(name.toLowerCase()) || [name, value].some((text) => holdsTokenText(text) || isSecret(text)))
      throw keyInUrl();
  }
}

/** URLs end up in logs, histories and referrers, so a key in a URL must be considered leaked. */
function keyInUrl(): ServiceError {
  return new ServiceError(
    'parameter_invalid',
    'An access token must not be part of the URL. Send it as X-API-KEY, Authorization: Bearer, or as the password of Basic.',
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

/** The parser treats a request line without a version as HTTP/0.9, whose clients cannot read the response. */
function ensureVersion(req: IncomingMessage): void {
  if (req.httpVersion !== '1.1' && req.httpVersion !== '1.0')
    throw new ServiceError('request_invalid', 'The request must be HTTP/1.1 or HTTP/1.0.');
}

/**
 * The parser leaves other transfer codings than `chunked` in the body. HTTP/1.0 has none, so a proxy may take the body
 * for the next request [RFC 9112 section 6.1].
 */
function ensureTransferCoding({ headers, httpVersion }: IncomingMessage): void {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return;
  if (httpVersion === '1.0')
    throw new ServiceError('request_invalid', 'A request of HTTP/1.0 must have no Transfer-Encoding.');
  if (coding.trim().toLowerCase() === 'chunked') return;
  throw new ServiceError('request_invalid', 'The body must have no transfer coding but chunked.', {
    hint: 'name the compression of the body in Content-Encoding',
  });
}

function ensureHost(req: IncomingMessage): void {
  const hosts = req.headersDistinct['host'] ?? [];
  if (hosts.length > 1 || (hosts.length === 0 && req.httpVersion === '1.1'))
    throw new ServiceError('request_invalid', 'The request must have exactly one Host header.');
  if (hosts.length === 1 && !HOST.test(hosts[0]!))
    throw new ServiceError('request_invalid', 'The Host header must be a name or an address, with or without a port.');
}

/** `uri-host [":" port]` [RFC 9110 section 7.2]; empty for targets without a host. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\dA-Fa-f:.]+\])(?::\d*)?$/;

/** Some readers end the target there, others take it for a part of the last value. */
function ensureNoFragment(target: string): void {
  if (!target.includes('#')) return;
  throw new ServiceError('request_invalid', 'The request target must not have a fragment.', {
    hint: 'write "#" in a value as %23',
  });
}
