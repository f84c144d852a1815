/**
 * Sends the response to a call: rows with facts about run and cache in headers, or 304 when the client has the current
 * rows.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { QueryWarning } from '#contract/queries/query';
import type { QueryResult } from '#contract/queries/result';
import type { CachedResult } from '../../cache/cached-result';
import type { Served } from '../../cache/query-cache';
import { type CacheFacts, withCacheFacts } from '../../engine/query/encode/json/json';
import { setCacheHeaders, strongTag, weakTag } from './cache-headers';
import { compress } from '../parsing/negotiation/content-codings';
import { isKnownToCaller } from './entity-tag';
import type { AcceptedCodings } from '../parsing/negotiation/negotiate-coding';
import { CONTENT_TYPES } from '../parsing/negotiation/negotiate-format';
import { requestFacts } from '../request/request-facts';
import type { KeyedCall } from '../router';
import { codingFor, sendBody, sendEmpty, writeBody } from './send-body';
import { formatServerTiming } from './server-timing';

export type ResultCall = Pick<KeyedCall, 'ctx' | 'req' | 'res' | 'group'>;

export interface ResultOptions {
  readonly codings: AcceptedCodings;
  /** Whether the result was encoded with `meta`. */
  readonly meta: boolean;
}

/** @throws ServiceError `concurrency_limited`, `overloaded` when a shared run leaves no room for this response */
export async function sendResult(call: ResultCall, served: Served, options: ResultOptions): Promise<void> {
  const { ctx, req, res, group } = call;
  const { result, entry, outcome } = served;
  // Before any header: callers who share a run were all admitted before its result was there.
  if (outcome === 'collapsed') ctx.unreadResponses.ensureRoom(group);
  const ageSeconds = entry ? entry.ageSeconds(ctx.clock) : 0;
  setCacheHeaders(res, served, ageSeconds);
  if (outcome !== 'hit' && outcome !== 'shared')
    res.setHeader('Server-Timing', formatServerTiming(result, requestFacts(req).traceId));
  if (options.meta && result.format === 'json') {
    const facts: CacheFacts = { status: META_STATUS[outcome], age: ageSeconds };
    const bytes = Buffer.concat(withCacheFacts(result.bytes, facts));
    ctx.unreadResponses.track(res, group, bytes.length);
    await sendWithMeta(req, res, served, bytes, options.codings);
  } else if (entry) {
    await sendEntry(call, entry, options.codings);
  } else {
    setResultHeaders(res, result);
    ctx.unreadResponses.track(res, group, result.bytes.length);
    const contentType = CONTENT_TYPES[result.format];
    await sendBody(req, res, { contentType, bytes: result.bytes, codings: options.codings });
  }
}

const META_STATUS: Readonly<Record<Served['outcome'], CacheFacts['status']>> = {
  hit: 'hit',
  shared: 'hit',
  miss: 'miss',
  collapsed: 'miss',
  refresh: 'bypass',
  bypass: 'bypass',
};

async function sendEntry(
  { ctx, req, res, group }: ResultCall,
  entry: CachedResult,
  codings: AcceptedCodings
): Promise<void> {
  const { result } = entry;
  const coding = codingFor(codings, result.bytes.byteLength);
  if (sentNotModified(req, res, strongTag(entry, coding))) return;
  const bytes = coding === null ? result.bytes : await entry.coded(coding, (plain) => compress(plain, coding));
  setResultHeaders(res, result);
  if (req.method !== 'HEAD') ctx.unreadResponses.trackShared(res, group, bytes);
  writeBody(res, { contentType: CONTENT_TYPES[result.format], bytes, coding });
}

/** The body contains its age and differs each time, so its compressed form is not cached. */
async function sendWithMeta(
  req: IncomingMessage,
  res: ServerResponse,
  { result, entry }: Served,
  bytes: Uint8Array,
  codings: AcceptedCodings
): Promise<void> {
  if (entry && sentNotModified(req, res, weakTag(entry))) return;
  setResultHeaders(res, result);
  await sendBody(req, res, { contentType: CONTENT_TYPES.json, bytes, codings });
}

/** @returns whether a 304 was sent */
function sentNotModified(req: IncomingMessage, res: ServerResponse, etag: string): boolean {
  res.setHeader('ETag', etag);
  // Responses to POST cannot be cached by URL.
  if (req.method === 'POST' || !isKnownToCaller(req, etag)) return false;
  sendEmpty(res, 304);
  return true;
}

function setResultHeaders(res: ServerResponse, result: QueryResult): void {
  res.setHeader('SVC-ENDPOINT-ROWS', result.rows);
  res.setHeader('SVC-ENDPOINT-REVISION', result.revision);
  if (result.truncated) res.setHeader('SVC-ENDPOINT-TRUNCATED', 'true');
  if (result.redacted) res.setHeader('SVC-ENDPOINT-REDACTED', 'true');
  if (result.warnings) res.setHeader('SVC-ENDPOINT-WARNINGS', formatWarnings(result.warnings));
}

/** Distinct codes; the complete warnings are in `meta`. */
function formatWarnings(warnings: readonly QueryWarning[]): string {
  return [...new Set(warnings.map(({ code }) => code))].join(', ');
}
