/**
 * Whether the server can answer calls: engine, store and tokens are usable and the process is not shutting down. These
 * conditions do not make it unready: a full queue; a store that refuses events, since queries go on; a damaged file of
 * the store, since queries of other days go on; an unreachable catalog database while its last snapshot may be used,
 * because all servers would leave the load balancer at once; a clock that is far ahead, which pauses deletions by age;
 * an engine restart of up to 5 s, for which calls wait; definitions that this server cannot serve while it serves
 * earlier ones.
 */
import type { CatalogState } from '../../catalog/database/catalog-watch';
import type { IngestFault } from '../../stores/store';
import type { AppContext } from '../context';
import { describePause } from './clock-guard';

type Check = 'ok' | 'stale' | 'refused' | 'refusing' | 'damaged' | 'ahead' | 'failed' | 'draining';
/** Checks of a server that answers calls. */
const USABLE: readonly Check[] = ['ok', 'stale', 'refused', 'refusing', 'damaged', 'ahead'];
type Checks = Readonly<
  Partial<Record<'service' | 'engine' | 'store' | 'tokens' | 'catalog' | 'clock' | 'ingest', Check>>
>;

export interface Readiness {
  readonly status: 'ok' | 'degraded' | 'unready';
  readonly checks: Checks;
  /** Further facts; nothing that only a token may know. */
  readonly reasons: object;
}

export async function readReadiness(ctx: AppContext): Promise<Readiness> {
  const checks = await readChecks(ctx);
  const found = Object.values(checks);
  if (found.every((check) => check === 'ok')) return { status: 'ok', checks, reasons: {} };
  const isUsable = found.every((check) => USABLE.includes(check));
  if (isUsable) {
    const reasons = {
      ...describeDamage(checks),
      ...describeIngestFault(ctx),
      ...describeRefusal(ctx),
      ...describeClock(ctx),
    };
    return { status: 'degraded', checks, reasons };
  }
  return { status: 'unready', checks, reasons: describeStore(ctx, checks) };
}

/** Only the embedded store's reasons are shown, since they contain no path, address or setting. */
function describeStore({ config, storeCheck }: AppContext, { store }: Checks): object {
  const reason = store === 'failed' && config.store === 'duckdb' ? storeCheck.reason() : null;
  return reason === null ? {} : { store: { reason } };
}

function describeDamage({ store }: Checks): object {
  const reason =
    'A file of the store is damaged: queries that read what is damaged fail. Restore a backup; the log has the place.';
  return store === 'damaged' ? { store: { reason } } : {};
}

/** Leaves out the cause, which is logged. */
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

function describeClock({ clockGuard: { paused } }: AppContext): object {
  return paused === null ? {} : { clock: { reason: describePause(paused) } };
}

const INGEST_FAULTS: Readonly<Record<IngestFault, string>> = {
  disk_full: 'The disk of the store is full, so events are refused. Free space: ingestion then goes on by itself.',
  disk_failed:
    'The disk of the store cannot be written, so events are refused. Check the disk, its mount and its rights.',
  damaged:
    'A file of the store is damaged, so that events cannot be compared with those of their day. Restore a backup.',
  memory: 'The store has too little memory for the events that arrive, so they are refused. Give it more memory.',
  other: 'The store refuses events. The log of the server has the cause.',
};

function describeIngestFault({ storeCheck }: AppContext): object {
  const fault = storeCheck.ingestFault();
  return fault === null ? {} : { ingest: { reason: INGEST_FAULTS[fault] } };
}

async function readChecks(ctx: AppContext): Promise<Checks> {
  const { ready: engine, isRestarting } = ctx.engine.health();
  return {
    service: ctx.lifecycle.state === 'serving' ? 'ok' : 'draining',
    engine: engine ? 'ok' : 'failed',
    // While the engine restarts the state of the store is unknown; calls wait.
    store: engine && (isRestarting || (await ctx.storeCheck.isUsable())) ? storeCheck(ctx) : 'failed',
    tokens: (await ctx.tokens.isUsable()) ? 'ok' : 'failed',
    ...(ctx.catalog ? { catalog: checkOf(ctx.catalog.state()) } : {}),
    ...(ctx.storeCheck.ingestFault() !== null ? { ingest: 'refusing' as const } : {}),
    ...(ctx.clockGuard.paused !== null ? { clock: 'ahead' as const } : {}),
  };
}

function storeCheck({ storeCheck: check }: AppContext): Check {
  return check.isDamaged() ? 'damaged' : 'ok';
}

function checkOf({ check, isRefused }: CatalogState): Check {
  return check === 'ok' && isRefused ? 'refused' : check;
}
