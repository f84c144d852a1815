/** The long-lived objects that requests need, built once and passed as an argument. */
import type { Logger } from 'pino';
import { Activity } from '../monitoring/activity/activity';
import { QueryCache } from '../cache/query-cache';
import type { SharedResults } from '../cache/shared-results';
import type { AuditLog } from '../catalog/audit/audit-log';
import type { CatalogWatch } from '../catalog/database/catalog-watch';
import type { Clock } from '../common/clock';
import type { BodyBudgetLimits, Config, SlotLimits } from '../config';
import type { Definitions } from '../catalog/definitions/definitions';
import type { SavedQueries } from '../catalog/saved-queries/saved-queries';
import type { Sources } from '../catalog/definitions/sources';
import type { EngineClient } from '../engine/client/engine-client';
import { type BodyBudget, BYTES_PER_REQUEST, createBodyBudget } from '../http/bodies/body-budget';
import { type Admission, createAdmission } from '../admission/admission';
import { Deliveries } from '../ingest/deliveries';
import { createRequestCache, type RequestCache } from '../http/request/request-cache';
import { ClockGuard } from './lifecycle/clock-guard';
import { Lifecycle } from './lifecycle/lifecycle';
import { RoundRobin } from '../common/scheduling/round-robin';
import { Semaphore } from '../admission/semaphore';
import { createSavedQueries, type StoredQueries } from './stored-queries';
import { SourceCheck } from './store/source-check';
import { createStoreStatsReader, type StoreStatsReader } from './store/store-stats';
import { createStoreCheck, type StoreCheck } from './store/store-check';
import { createUnreadResponses, type UnreadResponses } from '../admission/unread-responses';
import { measureRuns } from '../monitoring/metrics/measure-runs';
import { createMetrics, type Metrics } from '../monitoring/metrics/metrics';
import { observeCache } from '../monitoring/metrics/observe-cache';
import { observeClock } from '../monitoring/metrics/observe-clock';
import { observeCatalog } from '../monitoring/metrics/observe-catalog';
import { observeSharedResults } from '../monitoring/metrics/observe-shared-results';
import { observeSealing } from '../monitoring/metrics/observe-sealing';
import { observeIngest } from '../monitoring/metrics/observe-ingest';
import { observeFields } from '../monitoring/metrics/observe-fields';
import { observeMisfits } from '../monitoring/metrics/observe-misfits';
import { observeStore } from '../monitoring/metrics/observe-store';
import { createRunQuery, laneOf } from '../admission/admit-run';
import type { TokenRegister } from '../catalog/tokens/token-register';
import type { TokenStore } from '../catalog/tokens/token-store';
import { VERSION } from '../common/version';

export interface AppContext {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly engine: EngineClient;
  readonly sources: Sources;
  readonly definitions: Definitions;
  readonly savedQueries: SavedQueries;
  readonly tokens: TokenStore;
  /** Changes tokens; this server knows a change when it resolves. */
  readonly tokenRegister: TokenRegister;
  /** Null: tokens and definitions are in files. */
  readonly catalog: CatalogWatch | null;
  /** Cache that runs all queries, cached or not. */
  readonly runs: QueryCache;
  readonly runSlots: Semaphore;
  readonly ingestSlots: Semaphore;
  /** Permits of changes of saved queries and tokens. */
  readonly changeSlots: Semaphore;
  /** Permits of descriptions of saved queries. */
  readonly describeSlots: Semaphore;
  /** Permits of OpenAPI documents with saved queries. */
  readonly documentSlots: Semaphore;
  readonly audit: AuditLog;
  readonly deliveries: Deliveries;
  /** Memory budget of ingestion bodies. */
  readonly bodyBudget: BodyBudget;
  readonly admission: Admission;
  readonly requestCache: RequestCache;
  readonly storeCheck: StoreCheck;
  readonly sourceCheck: SourceCheck;
  readonly storeStats: StoreStatsReader;
  readonly activity: Activity;
  readonly unreadResponses: UnreadResponses;
  /** Turns of tokens, for messages of agents. */
  readonly messageTurns: RoundRobin;
  readonly lifecycle: Lifecycle;
  /** Decides whether deletions by age may run. */
  readonly clockGuard: ClockGuard;
  readonly metrics: Metrics;
}

export type ContextParts = Pick<
  AppContext,
  | 'config'
  | 'logger'
  | 'clock'
  | 'engine'
  | 'sources'
  | 'definitions'
  | 'tokens'
  | 'tokenRegister'
  | 'catalog'
  | 'audit'
> & {
  readonly stored: StoredQueries;
  /** Null: this server has only its own cache. */
  readonly sharedResults: SharedResults | null;
};

/** Builds the context from given parts; tests pass their own engine. */
export function assembleContext(parts: ContextParts): AppContext {
  const { sharedResults, stored, ...given } = parts;
  const { config, clock, engine, definitions, sources, logger } = given;
  const clockGuard = new ClockGuard({ dataDir: config.files.dataDir, clock, engine, sources, logger });
  const runSlots = new Semaphore(config.runs);
  const ingestSlots = new Semaphore(ingestSlotLimits(config.ingest.maxRunning[config.store]));
  const bodyBudget = createBodyBudget(bodyBudgetLimits(config.ingest));
  const storeStats = createStoreStatsReader(engine, clock);
  const storeCheck = createStoreCheck(engine, clock);
  const metrics = createMetrics({ runSlots, ingestSlots, bodyBudget, engine, definitions, version: VERSION });
  const unreadResponses = createUnreadResponses(config.answers);
  const admitted = { engine, slots: runSlots, clock, unread: unreadResponses };
  const runs = new QueryCache({
    run: measureRuns(createRunQuery(admitted), metrics, definitions),
    isBlockedByOwner: (question, owner) =>
      runSlots.isBlockedByOwner({ owner, tenant: question.tenant, lane: laneOf(question) }),
    clock,
    limits: config.cache,
    maxWarming: config.runs.maxRunningBackground,
    shared: sharedResults,
  });
  observeCache(metrics.registry, runs, definitions);
  if (sharedResults) observeSharedResults(metrics.registry, sharedResults);
  if (given.catalog) observeCatalog(metrics.registry, given.catalog);
  observeClock(metrics.registry, clockGuard);
  observeIngest(metrics.registry, storeCheck);
  observeMisfits(metrics.registry, engine);
  observeFields(metrics.registry, engine);
  if (config.store === 'clickhouse') observeStore(metrics.registry, storeStats);
  else observeSealing(metrics.registry, engine);
  return {
    ...given,
    savedQueries: createSavedQueries(stored, { ...given, runs, runSlots }),
    runs,
    runSlots,
    ingestSlots,
    changeSlots: new Semaphore(CHANGE_SLOTS),
    describeSlots: new Semaphore(DESCRIBE_SLOTS),
    documentSlots: new Semaphore(DOCUMENT_SLOTS),
    deliveries: new Deliveries(() => clock.monotonicMs()),
    bodyBudget,
    admission: createAdmission(config.rates, clock),
    requestCache: createRequestCache(() => definitions.all, config.http.maxHeaderBytes),
    storeCheck,
    sourceCheck: new SourceCheck(engine, clock),
    storeStats,
    activity: new Activity(clock),
    unreadResponses,
    messageTurns: new RoundRobin(),
    lifecycle: new Lifecycle(),
    clockGuard,
    metrics,
  };
}

/** A body of the maximum size always fits; otherwise it would be refused at every retry. */
function bodyBudgetLimits({ maxBodyBytes, maxInflatedBytes, buffer }: Config['ingest']): BodyBudgetLimits {
  const maxBytesPerToken = Math.max(BYTES_PER_REQUEST + maxBodyBytes + maxInflatedBytes, buffer.maxBytesPerToken);
  return { maxBytes: Math.max(maxBytesPerToken, buffer.maxBytes), maxBytesPerToken };
}

/** Changes are stored one after another; a token waits for its own and for one of another token. */
const CHANGE_SLOTS = slotLimits({ maxRunning: 4, maxRunningPerToken: 1, maxWaiting: 128, maxWaitingPerToken: 32 });

/** The engine compiles in one thread, for each description. */
const DESCRIBE_SLOTS = slotLimits({ maxRunning: 2, maxRunningPerToken: 1, maxWaiting: 256, maxWaitingPerToken: 64 });

/** A document may have hundreds of descriptions, and megabytes. */
const DOCUMENT_SLOTS = slotLimits({ maxRunning: 4, maxRunningPerToken: 1, maxWaiting: 128, maxWaitingPerToken: 32 });

/** Limits of work that has a single lane. */
function slotLimits(
  limits: Pick<SlotLimits, 'maxRunning' | 'maxRunningPerToken' | 'maxWaiting' | 'maxWaitingPerToken'>
): SlotLimits {
  const { maxRunning } = limits;
  return {
    ...limits,
    maxRunningAdhoc: maxRunning,
    maxRunningChecks: maxRunning,
    maxRunningBackground: maxRunning,
  };
}

const WAITING_PER_PLACE = 32;

/**
 * One token may take at most half of the permits and half of the queue. `BodyBudget` bounds waiting requests in bytes,
 * too.
 */
function ingestSlotLimits(maxRunning: number): SlotLimits {
  const maxWaiting = maxRunning * WAITING_PER_PLACE;
  return slotLimits({
    maxRunning,
    maxRunningPerToken: Math.max(1, Math.floor(maxRunning / 2)),
    maxWaiting,
    maxWaitingPerToken: maxWaiting / 2,
  });
}
