/** Runs a saved query, or an ad-hoc query in its sandbox. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SavedQuery } from '#contract/saved-query';
import type { NotedCall } from '../../activity/noted-call';
import type { QueryKeyInput } from '../../cache/cache-key';
import type { CachePolicy } from '../../cache/cached-result';
import type { Served } from '../../cache/query-cache';
import { definitionDigest } from '../../catalog/definitions/definition-digest';
import { hasScope, type Principal } from '../../catalog/tokens/principal';
import { readAdhocText } from '../request/adhoc-text';
import { bindParameters, formatIgnored } from '../request/bind-parameters';
import { requestsFreshResult } from '../response/cache-headers';
import { readCallInput } from '../request/call-input';
import { clientAbortSignal } from '../request/client-abort';
import { readCallOptions } from '../request/call-options';
import { negotiateCoding } from '../parsing/negotiate-coding';
import { negotiateFormat } from '../parsing/negotiate-format';
import type { CachedRequest } from '../request/request-cache';
import { requestFacts } from '../request/request-facts';
import type { KeyedCall, KeyedHandler } from '../router';
import { type ResultCall, sendResult } from '../response/send-result';
import { visibleEndpoint } from '../request/visible-endpoint';
import { withReference } from '../request/with-reference';

export const callEndpoint: KeyedHandler = async (call) => {
  const { ctx, req, res, principal } = call;
  ctx.unreadResponses.ensureRoom(principal.tokenId);
  const codings = negotiateCoding(req);
  const { question, policy, ignored } = await readQuestion(call);
  const noted = noteCall(req, principal, question);
  const known: CachedRequest = { principal, route: requestFacts(req).route!, question, policy, codings, ignored };
  noteIgnored(res, known);

  // Bypassing the cache needs a scope: otherwise any caller could defeat it and overload the store.
  const bypassCache = requestsFreshResult(req) && hasScope(principal, 'cache:bypass');
  let abortSignal: AbortSignal | undefined;
  const served = await ctx.runs.getOrRun(question, policy, {
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
  await sendResult(call, served, { codings, meta: question.meta });
};

/** Responds from a cache entry, without parsing the request again. */
export function serveCachedRequest(
  call: Omit<ResultCall, 'principal'>,
  known: CachedRequest,
  served: Served
): Promise<void> {
  const { principal, codings, question } = known;
  noteIgnored(call.res, known);
  const noted = noteCall(call.req, principal, question);
  noted.outcome = served.outcome;
  noted.rows = served.result.rows;
  return sendResult({ ...call, principal }, served, { codings, meta: question.meta });
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

function noteIgnored(res: ServerResponse, { ignored }: CachedRequest): void {
  if (ignored.length > 0) res.setHeader('SVC-ENDPOINT-IGNORED-PARAMETERS', formatIgnored(ignored));
}

interface ReadQuestion {
  readonly question: QueryKeyInput;
  readonly policy: CachePolicy;
  readonly ignored: readonly string[];
}

/** Reads and checks everything that does not need the engine. */
async function readQuestion({ ctx, req, res, principal, tenant, path }: KeyedCall): Promise<ReadQuestion> {
  const format = negotiateFormat(req);
  const options = readCallOptions(req);
  const definition = visibleEndpoint(ctx, principal, path.q);
  const input = await readCallInput(req, res, ctx.config.http);
  const entries = withReference(input.entries, path.ref);
  const adhoc = readAdhocText(entries, definition, principal, ctx.config.http);
  const { policy } = principal;
  const bound = { fixed_parameters: policy.fixed_parameters, tenant };
  const { values, ignored } = bindParameters(definition, entries, bound, { reserved: ['sql', 'lql'] });
  const question: QueryKeyInput = {
    endpointId: definition.id,
    revision: definition.revision,
    definition: definitionDigest(definition),
    parameters: values,
    adhoc,
    tenant,
    format,
    timestamps: options.timestamps,
    meta: options.meta,
    redact: options.redact || definition.redact_pii || policy.force_redaction,
    maxRows: Math.min(definition.max_rows, policy.max_rows ?? definition.max_rows),
    maxBytes: definition.max_bytes,
    timeoutMs: definition.timeout_ms,
  };
  return { question, policy: cachePolicy(definition, adhoc !== null), ignored };
}

/**
 * Ad-hoc results are cached like those of saved queries but not refreshed in advance: they are seldom requested again.
 */
function cachePolicy(definition: SavedQuery, isAdhoc: boolean): CachePolicy {
  return {
    endpoint: definition.name,
    cacheSeconds: definition.cache_seconds ?? 0,
    warmSeconds: isAdhoc ? 0 : (definition.warm_seconds ?? 0),
  };
}
