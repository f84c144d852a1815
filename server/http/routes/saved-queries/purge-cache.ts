/** Purges the cached results of a saved query, for all parameters and callers. */
import type { AuditEntry } from '#contract/changes/audit';
import { ensureNoTenant } from '../../../catalog/tokens/tenant-of';
import { changeFacts, inTurn } from '../../management/change';
import { diskFailed } from '../../management/disk-failed';
import type { KeyedHandler } from '../../router';
import { visibleEndpoint } from '../../request/visible-endpoint';
import { sendEmpty } from '../../response/send-body';

const NOT_PURGED = 'Nothing was purged, because the audit trail cannot be written. Try again later.';

export const purgeCache: KeyedHandler = async (call) => {
  const { ctx, res, principal, tenant, path } = call;
  ensureNoTenant(tenant, 'Cached results are purged');
  const { id, name } = visibleEndpoint(ctx, principal, path.q);
  const { by, message, requestId, now } = changeFacts(call, undefined);
  await inTurn(call, async () => {
    const entry: AuditEntry = {
      time: now.toISOString(),
      action: 'saved_query.purge',
      by,
      object: { id, name },
      revision: null,
      message,
      request_id: requestId,
      details: null,
    };
    await ctx.audit.append(entry).catch((error: unknown) => {
      const shown = diskFailed(error, NOT_PURGED);
      if (shown !== null) ctx.logger.error({ err: error, request_id: requestId }, 'the audit trail cannot be written');
      throw shown ?? error;
    });
    await ctx.queryCache.purge(id);
  });
  sendEmpty(res, 204);
};
