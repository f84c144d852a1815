/**
 * Whether calls can be answered: engine, store and tokens usable, and not on the way out. A full queue is no reason, and a database that
 * does not answer is none as long as what was read from it may be used: it is told, and every server would leave the balancer at once.
 * Nor is a restart of the engine that takes no longer than 5 s, as calls wait for it, nor are definitions that this server cannot serve, as long as it serves earlier ones.
 */
import type { CatalogState } from '../../catalog-db/catalog-watch';
import type { AppContext } from '../../app/context';
import type { OpenHandler } from '../router';
import { sendJson } from '../response/send-body';

type Check = 'ok' | 'stale' | 'refused' | 'failed' | 'draining';
type Checks = Readonly<Partial<Record<'service' | 'engine' | 'store' | 'tokens' | 'catalog', Check>>>;

export const ready: OpenHandler = async ({ ctx, req, res }) => {
  const checks = await readChecks(ctx);
  const found = Object.values(checks);
  if (found.every((check) => check === 'ok')) return sendJson(req, res, { status: 'ok' });
  if (found.every((check) => check === 'ok' || check === 'stale' || check === 'refused'))
    return sendJson(req, res, { status: 'degraded', checks, ...describeRefusal(ctx) });
  res.setHeader('Retry-After', '5');
  return sendJson(req, res, { status: 'unready', checks, ...describeStore(ctx, checks) }, 503);
};

/** The embedded store's reasons name no path, address or setting; those of other stores are for the log, since anybody may read this. */
function describeStore({ config, storeCheck }: AppContext, { store }: Checks): object {
  const reason = store === 'failed' && config.store === 'duckdb' ? storeCheck.reason() : null;
  return reason === null ? {} : { store: { reason } };
}

/** Without what is wrong, which is for the log: anybody may ask here. */
function describeRefusal({ catalog }: AppContext): object {
  const state = catalog?.state();
  if (!state?.isRefused) return {};
  return {
    definitions: {
      reason: 'The definitions in force cannot be served here: earlier ones are.',
      revision_in_force: state.revisionInForce,
      revision_served: state.revision,
    },
  };
}

async function readChecks(ctx: AppContext): Promise<Checks> {
  const { ready: engine, isRestarting } = ctx.engine.health();
  return {
    service: ctx.lifecycle.state === 'serving' ? 'ok' : 'draining',
    engine: engine ? 'ok' : 'failed',
    // Between two processes the state of the store is unknown; calls wait.
    store: engine && (isRestarting || (await ctx.storeCheck.isUsable())) ? 'ok' : 'failed',
    tokens: (await ctx.tokens.isUsable()) ? 'ok' : 'failed',
    ...(ctx.catalog ? { catalog: checkOf(ctx.catalog.state()) } : {}),
  };
}

function checkOf({ check, isRefused }: CatalogState): Check {
  return check === 'ok' && isRefused ? 'refused' : check;
}
