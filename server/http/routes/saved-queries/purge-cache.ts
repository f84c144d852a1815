/** Purges the cached results of a saved query, for all parameters and callers. */
import { ensureNoTenant } from '../../../catalog/tokens/tenant-of';
import { changeFacts, inTurn } from '../../management/change';
import type { KeyedHandler } from '../../router';
import { visibleEndpoint } from '../../request/visible-endpoint';
import { sendEmpty } from '../../response/send-body';

export const purgeCache: KeyedHandler = async (call) => {
  const { ctx, res, principal, tenant, path } = call;
  ensureNoTenant(tenant, 'Cached results are purged');
  const { id, name } = visibleEndpoint(ctx, principal, path.q);
  const { by, message, requestId, now } = changeFacts(call, undefined);
  await inTurn(call, async () => {
    await ctx.audit.append({
      time: now.toISOString(),
      action: 'saved_query.purge',
      by,
      object: { id, name },
      revision: null,
      message,
      request_id: requestId,
      details: null,
    });
    await ctx.runs.purge(id);
  });
  sendEmpty(res, 204);
};
