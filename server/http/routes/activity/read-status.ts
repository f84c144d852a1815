/** Reads the state of this server and its parts, for operators. A part that does not answer in time is null. */
import { statfs } from 'node:fs/promises';
import { ServiceError } from '#contract/errors';
import type { StoredSource } from '#contract/queries/description';
import { LANES } from '../../../admission/permits';
import type { SlowCall } from '../../../monitoring/activity/slowest-calls';
import type { AppContext } from '../../../app/context';
import { readReadiness } from '../../../app/lifecycle/readiness';
import { hasScope, isConfined, type Principal } from '../../../catalog/tokens/principal';
import { VERSION } from '../../../common/version';
import { negotiateFormat } from '../../parsing/negotiation/negotiate-format';
import { sendJson } from '../../response/send-body';
import type { KeyedCall, KeyedHandler } from '../../router';

export const readStatus: KeyedHandler = async (call) => {
  const { ctx, req, res, principal } = call;
  negotiateFormat(req, ['json']);
  ensureUnconfined(call);
  const { status, checks, reasons } = await readReadiness(ctx);
  const [store, disk] = await Promise.all([describeStore(ctx), describeDisk(ctx.config.files.dataDir)]);
  const uptimeMs = performance.now();
  res.setHeader('Cache-Control', 'no-store');
  await sendJson(req, res, {
    result: {
      readiness: { status, checks, ...reasons },
      version: VERSION,
      node: process.version,
      started_at: new Date(ctx.clock.now().getTime() - uptimeMs).toISOString(),
      uptime_seconds: Math.floor(uptimeMs / 1000),
      store,
      disk,
      memory: describeMemory(ctx),
      engine: describeEngine(ctx),
      cache: describeCache(ctx),
      queues: describeQueues(ctx),
      slowest_calls: ctx.activity.slowest.list().flatMap((slow) => describeSlow(ctx, principal, slow)),
    },
  });
};

/** The slowest calls are those of all tokens, and so are the queues. */
function ensureUnconfined({ tenant, principal }: KeyedCall): void {
  if (tenant === null && !isConfined(principal.policy)) return;
  throw new ServiceError(
    'tenant_denied',
    'The status is that of all tenants; use an access token without a tenant, fixed parameters, forced redaction and a ' +
      'list of saved queries.',
    { reason: 'confined' }
  );
}

const PATIENCE_MS = 2000;

/** Counts of events may take the store longer than a reader of this page should wait. */
async function describeStore(ctx: AppContext) {
  const [sources, { isUp, last }] = await Promise.all([soon(ctx.sourceCheck.read()), ctx.storeStats()]);
  const sum = (of: (source: StoredSource) => number): number | null =>
    sources?.reduce((total, source) => total + of(source), 0) ?? null;
  return {
    kind: ctx.config.store,
    is_answering: isUp,
    sources: ctx.sources.all.length,
    events: sum(({ events }) => events),
    bytes: sum(({ bytes }) => bytes),
    dead_letters: last && Object.values(last.deadLetters).reduce((total, count) => total + count, 0),
    waiting_bytes: last && last.waitingBytes,
  };
}

async function soon<T>(reading: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), PATIENCE_MS);
  });
  return Promise.race([reading.catch(() => null), late]).finally(() => clearTimeout(timer));
}

/** Describes the file system with the data folder. */
async function describeDisk(dataDir: string) {
  const stats = await statfs(dataDir).catch(() => null);
  if (stats === null) return null;
  const { bsize, blocks, bfree, bavail } = stats;
  return { total_bytes: blocks * bsize, used_bytes: (blocks - bfree) * bsize, free_bytes: bavail * bsize };
}

function describeMemory({ engine, config }: AppContext) {
  const { rss, heapUsed } = process.memoryUsage();
  return {
    service_bytes: rss,
    service_heap_bytes: heapUsed,
    engine_bytes: engine.health().rssBytes,
    engine_limit_bytes: config.engine.rssBudgetMb * 1024 * 1024,
  };
}

function describeEngine({ engine }: AppContext) {
  const { ready, isRestarting, restarts, kills, inFlight, waiting } = engine.health();
  return {
    is_ready: ready,
    is_restarting: isRestarting,
    restarts,
    kills,
    running_calls: inFlight,
    waiting_calls: waiting,
  };
}

function describeCache({ queryCache, config }: AppContext) {
  const { entries, bytes, warm, evictions } = queryCache.stats();
  return { entries, bytes, max_bytes: config.cache.maxBytes, warm, evictions };
}

function describeQueues({ runPermits, ingestPermits, bodyBudget }: AppContext) {
  const lanes = LANES.map((lane) => [
    lane,
    { running: runPermits.runningIn(lane), waiting: runPermits.waitingIn(lane) },
  ]);
  return {
    queries: Object.fromEntries(lanes) as Record<string, unknown>,
    ingest: { running: ingestPermits.running, waiting: ingestPermits.waiting, buffered_bytes: bodyBudget.bytes },
  };
}

/** Saved queries that were deleted since are left out. The token is named to those who manage tokens. */
function describeSlow({ definitions }: AppContext, principal: Principal, call: SlowCall) {
  const definition = definitions.find(call.endpointId);
  if (definition === undefined) return [];
  const { durationMs, isAdhoc, rows, status, outcome, endedAt, requestId, tokenId, tokenName } = call;
  return [
    {
      endpoint: { id: definition.id, name: definition.name },
      kind: isAdhoc ? 'adhoc' : 'saved',
      duration_ms: Math.round(durationMs * 10) / 10,
      rows,
      status,
      cached: outcome === 'hit' || outcome === 'shared',
      ended_at: endedAt.toISOString(),
      request_id: requestId,
      token: hasScope(principal, 'tokens:admin') ? { id: tokenId, name: tokenName } : null,
    },
  ];
}
