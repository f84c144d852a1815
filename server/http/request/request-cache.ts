/**
 * Remembers parsed requests. A polling client sends identical bytes; parsing them again gives the same call as long as
 * the saved queries and the token are the same. Rate limits, unread responses and the cache entry are checked for each
 * request and are not in here.
 */
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { SavedQuery } from '#contract/queries/saved-query';
import type { QueryKeyInput } from '../../cache/cache-key';
import type { CachePolicy } from '../../cache/cached-result';
import type { Principal } from '../../catalog/tokens/principal';
import { announcesBody } from '../bodies/announces-body';
import { hasSmallBody, smallBody } from '../bodies/small-body';
import type { AcceptedCodings } from '../parsing/negotiation/negotiate-coding';

/** A call of a saved query that passed all checks. */
export interface CachedRequest {
  readonly principal: Principal;
  /** Pattern of the route. */
  readonly route: string;
  readonly queryRequest: QueryKeyInput;
  readonly policy: CachePolicy;
  readonly codings: AcceptedCodings;
  /** Names of parameters that the saved query does not declare. */
  readonly ignored: readonly string[];
  /** The saved queries that the request was checked with. They may be replaced before it is remembered. */
  readonly definitions: readonly SavedQuery[];
}

export interface RequestCache {
  /** Whether a request with this head had a small body, which `find` needs. */
  needsBody(req: IncomingMessage): boolean;
  find(req: IncomingMessage): CachedRequest | undefined;
  /** @param call the parsed request; not found any more when its saved queries were replaced */
  remember(req: IncomingMessage, call: CachedRequest): void;
}

const MAX_CALLS = 1000;
/** Total size of cached ad-hoc texts and parameters, in characters. */
const MAX_SIZE = 4_000_000;

/**
 * Headers that do not change the call: tracing, and the entity tag of the client's copy. They are read for each
 * request.
 */
const APART = ['x-request-id', 'traceparent', 'tracestate', 'if-none-match'];

const HEAD = Symbol('head');

interface WithHead {
  [HEAD]?: string;
}

/** @param definitions the saved queries in service; a new array for each set */
export function createRequestCache(definitions: () => readonly SavedQuery[], maxHeaderBytes: number): RequestCache {
  const calls = new LRUCache<string, CachedRequest>({ max: MAX_CALLS, maxSize: MAX_SIZE });
  const headsWithBody = new LRUCache<string, true>({ max: MAX_CALLS });
  return {
    needsBody(req) {
      if (headsWithBody.size === 0 || req.method !== 'POST' || !hasSmallBody(req)) return false;
      const head = headOf(req, maxHeaderBytes);
      return head !== null && headsWithBody.get(head) === true;
    },
    find(req) {
      if (calls.size === 0) return undefined;
      const key = keyOf(req, maxHeaderBytes);
      const call = key === null ? undefined : calls.get(key);
      return call?.definitions === definitions() ? call : undefined;
    },
    remember(req, call) {
      const key = keyOf(req, maxHeaderBytes);
      if (key === null) return;
      const size = 1 + JSON.stringify([call.queryRequest.parameters, call.queryRequest.adhoc, call.ignored]).length;
      calls.set(key, call, { size });
      const head = req.method === 'POST' ? headOf(req, maxHeaderBytes) : null;
      if (head !== null) headsWithBody.set(head, true);
    },
  };
}

/** Null for a request that is not kept: of another method, a GET with a body, or with a body that is not small. */
function keyOf(req: IncomingMessage, maxHeaderBytes: number): string | null {
  if (req.method === 'GET' || req.method === 'HEAD') return announcesBody(req) ? null : headOf(req, maxHeaderBytes);
  const body = req.method === 'POST' && hasSmallBody(req) ? smallBody(req) : undefined;
  const head = body === undefined ? null : headOf(req, maxHeaderBytes);
  return body === undefined || head === null ? null : `${head} ${hash('sha256', body, 'base64url')}`;
}

/**
 * SHA-256 of the request head without the headers in `APART`. A digest, because the head holds access tokens. Null when
 * the head is too long: the request checks answer that.
 */
function headOf(req: IncomingMessage & WithHead, maxHeaderBytes: number): string | null {
  if (req[HEAD] !== undefined) return req[HEAD];
  const { rawHeaders } = req;
  let bytes = 0;
  // A header cannot contain a line break, so the separator is unambiguous.
  let text = `${req.method} ${req.httpVersion} ${req.url}`;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name, value] = [rawHeaders[i]!, rawHeaders[i + 1]!];
    bytes += name.length + value.length + SEPARATORS;
    if (!APART.includes(name.toLowerCase())) text += `\n${name}:${value}`;
  }
  if (bytes > maxHeaderBytes) return null;
  return (req[HEAD] = hash('sha256', text, 'base64url'));
}

const SEPARATORS = ': \r\n'.length;
