/** Runs a saved query, or an ad-hoc query in its sandbox. */
import type { IncomingMessage } from 'node:http';
import type { NotedCall } from '../../monitoring/activity/noted-call';
import type { QueryKeyInput } from '../../cache/cache-key';
import type { Served } from '../../cache/query-cache';
import { hasScope, type Principal } from '../../catalog/tokens/principal';
import { readAdhocText } from '../request/call/adhoc-text';
import { type BoundCall, bindCall } from '../request/call/bind-call';
import { hasCacheDirective } from '../response/cache-headers';
import { readCallInput } from '../request/call/call-input';
import { clientAbortSignal } from '../request/client-abort';
import { noteIgnored } from '../response/ignored-parameters';
import { readCallOptions } from '../request/call/call-options';
import { negotiateCoding } from '../parsing/negotiation/negotiate-coding';
import { negotiateFormat } from '../parsing/negotiation/negotiate-format';
import type { CachedRequest } from '../request/request-cache';
import { requestFacts } from '../request/request-facts';
import { ensureStillValid } from '../request/token/ensure-still-valid';
import type { KeyedCall, KeyedHandler } from '../router';
import { type ResultCall, sendResult } from '../response/send-result';
import { visibleEndpoint } from '../request/visible-endpoint';
import { withReference } from '../request/call/with-reference';

export const callEndpoint: KeyedHandler = async (call) => {
  const { ctx, req, res, principal } = call;
  const codings = negotiateCoding(req);
  const { definitions, ...bound } = await readBoundCall(call);
  const { queryRequest, policy } = bound;
  const noted = noteCall(req, principal, queryRequest);
  const known: CachedRequest = { ...bound, principal, route: requestFacts(req).route!, codings, definitions };
  noteIgnored(res, known.ignored);

  // Bypassing the cache needs a scope: otherwise any caller could defeat it and overload the store.
  const bypassCache = hasCacheDirective(req, 'no-cache') && hasScope(principal, 'cache:bypass');
  let abortSignal: AbortSignal | undefined;
  const served = await ctx.queryCache.getOrRun(queryRequest, policy, {
    owner: principal.tokenId,
    traceId: requestFacts(req).traceId,
    // Created on first use: a cache hit needs no signal.
    get signal() {
      return (abortSignal ??= clientAbortSignal(res));
    },
    bypassCache,
  });
  noted.outcome = served.outcome;
  noted.rows = served.result.rows;
  if (served.entry && !bypassCache) ctx.requestCache.remember(req, known);
  // The run may have waited and taken minutes.
  await ensureStillValid(call);
  await sendResult(call, served, { codings, meta: queryRequest.meta });
};

/** Responds from a cache entry, without parsing the request again. */
export function serveCachedRequest(call: ResultCall, known: CachedRequest, served: Served): Promise<void> {
  const { principal, codings, queryRequest } = known;
  noteIgnored(call.res, known.ignored);
  const noted = noteCall(call.req, principal, queryRequest);
  noted.outcome = served.outcome;
  noted.rows = served.result.rows;
  return sendResult(call, served, { codings, meta: queryRequest.meta });
}

function noteCall(req: IncomingMessage, { policy }: Principal, { endpointId, adhoc }: QueryKeyInput): NotedCall {
  return (requestFacts(req).call = {
    endpointId,
    isAdhoc: adhoc !== null,
    tokenName: policy.name,
    outcome: null,
    rows: null,
  });
}

/** Reads and checks everything that does not need the engine. */
async function readBoundCall(call: KeyedCall): Promise<BoundCall & Pick<CachedRequest, 'definitions'>> {
  const { ctx, req, res, principal, tenant, path } = call;
  const format = negotiateFormat(req);
  const options = readCallOptions(req);
  // Refused before its body is read.
  visibleEndpoint(ctx, principal, path.q);
  const input = await readCallInput(req, res, ctx.config.http);
  await ensureStillValid(call);
  // As it is now: the body may have taken a minute, and the saved query may redact more since.
  const definition = visibleEndpoint(ctx, principal, path.q);
  const entries = withReference(input.entries, path.ref);
  const adhoc = readAdhocText(entries, definition, principal, ctx.config.http);
  const noStore = hasCacheDirective(req, 'no-store');
  const bound = bindCall(principal, tenant, { definition, adhoc, entries, format, noStore, ...options });
  return { ...bound, definitions: ctx.definitions.all };
}
