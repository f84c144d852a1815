/** Purges the cached results of a saved query, for all parameters and callers. */
import { ensureNoTenant } from '../../catalog/tokens/tenant-of';
import type { KeyedHandler } from '../router';
import { visibleEndpoint } from '../request/visible-endpoint';

export const purgeCache: KeyedHandler = async ({ ctx, res, principal, tenant, path }) => {
  ensureNoTenant(tenant, 'Cached results are purged');
  const definition = visibleEndpoint(ctx.definitions, principal, path.q);
  await ctx.runs.purge(definition.id);
  res.status(204).end();
};
