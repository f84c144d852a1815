/** Readiness, for load balancers. This response needs no token. */
import { readReadiness } from '../../../app/lifecycle/readiness';
import type { OpenHandler } from '../../router';
import { sendJson } from '../../response/send-body';

export const ready: OpenHandler = async ({ ctx, req, res }) => {
  const { status, checks, reasons } = await readReadiness(ctx);
  if (status === 'ok') return sendJson(req, res, { status });
  if (status === 'degraded') return sendJson(req, res, { status, checks, ...reasons });
  res.setHeader('Retry-After', '5');
  return sendJson(req, res, { status, checks, ...reasons }, 503);
};
