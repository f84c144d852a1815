/** Lists the calls of the last hour by saved query, as this server answered them. */
import { ServiceError } from '#contract/errors';
import type { SavedQuery } from '#contract/saved-query';
import type { QueryFigures } from '../../../activity/call-figures';
import { negotiateFormat } from '../../parsing/negotiate-format';
import { visibleEndpoints } from '../../request/visible-endpoint';
import { sendJson } from '../../response/send-body';
import type { KeyedCall, KeyedHandler } from '../../router';

export const listCalls: KeyedHandler = async (call) => {
  const { ctx, req, res, principal } = call;
  negotiateFormat(req, ['json']);
  ensureSeesAllCallers(call);
  const { calls } = ctx.activity;
  const cached = ctx.runs.countsByQuery();
  const result = visibleEndpoints(ctx, principal).flatMap((definition) => {
    const figures = calls.of(definition.id);
    const results = { fresh: cached.fresh.get(definition.id) ?? 0, warm: cached.warm.get(definition.id) ?? 0 };
    return figures === null && results.fresh === 0 ? [] : [describe(definition, figures, results)];
  });
  res.setHeader('Cache-Control', 'no-store');
  await sendJson(req, res, { since: calls.since.toISOString(), result });
};

/** Figures are of the calls of all tokens, from which a token of one tenant could learn what the others do. */
function ensureSeesAllCallers({ tenant, principal }: KeyedCall): void {
  if (tenant === null && Object.keys(principal.policy.fixed_parameters).length === 0) return;
  throw new ServiceError(
    'tenant_denied',
    'Calls are counted for all tenants; use an access token without a tenant and without fixed parameters.',
    { reason: 'all_tenants' }
  );
}

function describe(
  { id, name }: SavedQuery,
  figures: QueryFigures | null,
  results: { readonly fresh: number; readonly warm: number }
) {
  return {
    id,
    name,
    calls: figures?.calls ?? 0,
    adhoc_calls: figures?.adhocCalls ?? 0,
    failed: figures?.failed ?? 0,
    cached: figures?.cached ?? 0,
    p50_ms: rounded(figures?.p50Ms),
    p95_ms: rounded(figures?.p95Ms),
    max_ms: rounded(figures?.maxMs),
    last_call_at: figures?.lastCallAt.toISOString() ?? null,
    cached_results: results.fresh,
    warm_results: results.warm,
  };
}

function rounded(ms: number | null | undefined): number | null {
  return ms === undefined || ms === null ? null : Math.round(ms * 100) / 100;
}
