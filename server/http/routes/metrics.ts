/** Counters and gauges for Prometheus. */
import type { KeyedHandler } from '../router';
import { sendBody } from '../send-body';

export const metrics: KeyedHandler = async ({ ctx, req, res }) => {
  const bytes = Buffer.from(await ctx.metrics.render());
  await sendBody(req, res, { contentType: ctx.metrics.contentType, bytes });
};
