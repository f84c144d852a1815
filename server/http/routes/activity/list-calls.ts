/** Lists the calls of the last hour by saved query, as this server answered them. */
import { ServiceError } from '#contract/errors';
import type { SavedQuery } from '#contract/queries/saved-query';
import type { QueryStats } from '../../../monitoring/activity/call-stats';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import { visibleEndpoints } from '../../request/visible-endpoint';
import { sendJson } from '../../response/send-body';
import type { KeyedCall, KeyedHandler } from '../../router';

export const listCalls: KeyedHandler = async (call) => {
  const { ctx, req, res, principal } = call;
  negotiateFormat(req, ['json']);
  ensureSeesAllCallers(call);
  const { calls } = ctx.activity;
  const cached = ctx.queryCache.countsByQuery();
  const found = visibleEndpoints(ctx, principal)
    .map((definition) => ({ definition, stats: calls.of(definition.id) }))
    .filter(({ definition, stats }) => stats !== null || cached.fresh.has(definition.id));
  const result = busiest(found).map(({ definition, stats }) => {
    const results = { fresh: cached.fresh.get(definition.id) ?? 0, warm: cached.warm.get(definition.id) ?? 0 };
    return describe(definition, stats, results);
  });
  res.setHeader('Cache-Control', 'no-store');
  await sendJson(req, res, { since: calls.since.toISOString(), result });
};

interface Found {
  readonly definition: SavedQuery;
  readonly stats: QueryStats | null;
}

/** Bounds the time of a response, however many saved queries there are. */
const MAX_LISTED = 1000;

/** In the order of their names. */
function busiest(found: readonly Found[]): readonly Found[] {
  if (found.length <= MAX_LISTED) return found;
  const callsOf = ({ stats }: Found): number => (stats?.calls ?? 0) + (stats?.adhocCalls ?? 0);
  const chosen = new Set([...found].sort((a, b) => callsOf(b) - callsOf(a)).slice(0, MAX_LISTED));
  return found.filter((each) => chosen.has(each));
}

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
  stats: QueryStats | null,
  results: { readonly fresh: number; readonly warm: number }
) {
  return {
    id,
    name,
    calls: stats?.calls ?? 0,
    adhoc_calls: stats?.adhocCalls ?? 0,
    failed: stats?.failed ?? 0,
    cached: stats?.cached ?? 0,
    p50_ms: rounded(stats?.p50Ms),
    p95_ms: rounded(stats?.p95Ms),
    max_ms: rounded(stats?.maxMs),
    last_call_at: stats?.lastCallAt.toISOString() ?? null,
    cached_results: results.fresh,
    warm_results: results.warm,
  };
}

function rounded(ms: number | null | undefined): number | null {
  return ms === undefined || ms === null ? null : Math.round(ms * 100) / 100;
}
