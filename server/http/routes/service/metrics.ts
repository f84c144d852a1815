/** Counters and gauges for Prometheus. */
import { ensureNoTenant } from '../../../catalog/tokens/tenant-of';
import type { KeyedHandler } from '../../router';
import { sendBody } from '../../response/send-body';

export const metrics: KeyedHandler = async ({ ctx, req, res, tenant }) => {
  ensureNoTenant(tenant, 'Metrics are counted');
  const bytes = Buffer.from(await ctx.metrics.render());
  await sendBody(req, res, { contentType: ctx.metrics.contentType, bytes });
};
