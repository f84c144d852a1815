/** Whether calls can be answered: engine, store and tokens usable, and not on the way out. A full queue is no reason. */
import type { AppContext } from '../../context';
import type { OpenHandler } from '../router';
import { sendJson } from '../send-body';

type Check = 'ok' | 'failed' | 'draining';

export const ready: OpenHandler = async ({ ctx, req, res }) => {
  const checks = await readChecks(ctx);
  const isReady = Object.values(checks).every((check) => check === 'ok');
  if (isReady) return sendJson(req, res, { status: 'ok' });
  res.setHeader('Retry-After', '5');
  return sendJson(req, res, { status: 'unready', checks }, 503);
};

async function readChecks(
  ctx: AppContext
): Promise<Readonly<Record<'service' | 'engine' | 'store' | 'tokens', Check>>> {
  const engine = ctx.engine.health().ready;
  return {
    service: ctx.lifecycle.state === 'serving' ? 'ok' : 'draining',
    engine: engine ? 'ok' : 'failed',
    store: engine && (await ctx.storeCheck.isUsable()) ? 'ok' : 'failed',
    tokens: (await ctx.tokens.isUsable()) ? 'ok' : 'failed',
  };
}
