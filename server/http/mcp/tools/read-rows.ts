/** Runs a call as the call route does, and reads its rows. */
import type { NotedCall } from '../../../monitoring/activity/noted-call';
import type { ToolCall } from '../tool-call';
import { ignoredNotes } from '../../response/ignored-parameters';
import { bindCall, type UnboundCall } from '../../request/call/bind-call';
import { requestFacts } from '../../request/request-facts';
import { ensureStillValid } from '../../request/token/ensure-still-valid';
import type { ResultFacts, Row } from '../result-text';

export type UnboundToolCall = Omit<UnboundCall, 'format' | 'timestamps' | 'meta' | 'redact' | 'maxBytes'> & {
  readonly redact?: boolean;
};

/**
 * Many times what an answer shows, since JSON repeats the names of columns. Each call parses it on the server's thread.
 */
const MAX_RESULT_BYTES = 1024 * 1024;

/** @throws ServiceError those of `bindCall` and of the run */
export async function readRows(
  call: ToolCall,
  { redact = false, ...unbound }: UnboundToolCall
): Promise<{ readonly rows: readonly Row[]; readonly facts: ResultFacts }> {
  const { ctx, req, principal, tenant, signal } = call;
  const options = {
    format: 'json',
    timestamps: 'rfc3339',
    meta: false,
    redact,
    maxBytes: MAX_RESULT_BYTES,
  } as const;
  const { queryRequest, policy, ignored } = bindCall(principal, tenant, { ...unbound, ...options });
  const facts = requestFacts(req);
  const noted: NotedCall = {
    endpointId: queryRequest.endpointId,
    isAdhoc: queryRequest.adhoc !== null,
    tokenName: principal.policy.name,
    outcome: null,
    rows: null,
  };
  // Before the run, so that a failed one counts.
  facts.call = noted;
  const caller = { owner: principal.tokenId, traceId: facts.traceId, signal, bypassCache: false };
  const { result, outcome, entry } = await ctx.queryCache.getOrRun(queryRequest, policy, caller);
  noted.outcome = outcome;
  noted.rows = result.rows;
  await ensureStillValid(call);
  // Calls that share a run go on at once: the rows of each may take the parser a long time.
  await ctx.messageTurns.next(principal.tokenId);
  signal.throwIfAborted();
  const { result: rows } = JSON.parse(Buffer.from(result.bytes).toString('utf8')) as { result: readonly Row[] };
  const notes = [...ignoredNotes(ignored), ...(result.warnings ?? []).map(({ message }) => message)];
  const described = {
    columns: result.fields,
    truncated: result.truncated,
    redacted: result.redacted,
    age_seconds: entry?.ageSeconds(ctx.clock) ?? 0,
    notes,
  };
  return { rows, facts: described };
}
