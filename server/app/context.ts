/** The long-lived objects that requests need, built once and passed as an argument. */
import type { Logger } from 'pino';
import { Activity } from '../monitoring/activity/activity';
import { QueryCache } from '../cache/query-cache';
import type { SharedResults } from '../cache/shared-results';
import type { AuditLog } from '../catalog/audit/audit-log';
import type { CatalogWatch } from '../catalog/database/catalog-watch';
import type { Clock } from '../common/clock';
import type { BodyBudgetLimits, Config } from '../config';
import type { Definitions } from '../catalog/definitions/definitions';
import type { ManagedSources } from '../catalog/sources/managed-sources';
import type { SavedQueries } from '../catalog/saved-queries/saved-queries';
import type { Sources } from '../catalog/definitions/sources';
import type { EngineClient } from '../engine/client/engine-client';
import { type BodyBudget, BYTES_PER_REQUEST, createBodyBudget } from '../http/bodies/body-budget';
import { type Admission, createAdmission } from '../admission/admission';
import { Deliveries } from '../ingest/deliveries';
import { ActiveListeners } from '../ingest/syslog/settings/active-listeners';
import { createRequestCache, type RequestCache } from '../http/request/request-cache';
import { ClockGuard } from './lifecycle/clock-guard';
import { Lifecycle } from './lifecycle/lifecycle';
import { RoundRobin } from '../common/scheduling/round-robin';
import { createPermits, type ServerPermits } from './create-permits';
import type { ServedQueries } from '../catalog/saved-queries/read-saved-queries';
import type { ServedSources } from '../catalog/sources/read-sources';
import { createManagedSources } from './managed-sources';
import { createSavedQueries } from './saved-queries';
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
import { observeStoreCheck } from '../monitoring/metrics/observe-store-check';
import { observeFields } from '../monitoring/metrics/observe-fields';
import { observeMisfits } from '../monitoring/metrics/observe-misfits';
import { observeStore } from '../monitoring/metrics/observe-store';
import { createRunQuery, laneOf } from '../admission/admit-run';
import type { TokenRegister } from '../catalog/tokens/token-register';
import type { TokenStore } from '../catalog/tokens/token-store';
import { VERSION } from '../common/version';

export interface AppContext extends ServerPermits {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly engine: EngineClient;
  readonly sources: Sources;
  readonly definitions: Definitions;
  readonly savedQueries: SavedQueries;
  readonly managedSources: ManagedSources;
  /** Those of syslog messages; empty until they are open. */
  readonly listeners: ActiveListeners;
  readonly tokens: TokenStore;
  /** Changes tokens; this server knows a change when it resolves. */
  readonly tokenRegister: TokenRegister;
  /** Null: tokens and definitions are in files. */
  readonly catalog: CatalogWatch | null;
  /** Cache that runs all queries, cached or not. */
  readonly queryCache: QueryCache;
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
  readonly ofApi: { readonly queries: ServedQueries; readonly sources: ServedSources };
  /** Null: this server has only its own cache. */
  readonly sharedResults: SharedResults | null;
};

/** Builds the context from given parts; tests pass their own engine. */
export function assembleContext(parts: ContextParts): AppContext {
  const { sharedResults, ofApi, ...given } = parts;
  const { config, clock, engine, definitions, sources, logger } = given;
  const clockGuard = new ClockGuard({ dataDir: config.files.dataDir, clock, engine, sources, logger });
  const permits = createPermits(config);
  const { runPermits } = permits;
  const bodyBudget = createBodyBudget(bodyBudgetLimits(config.ingest));
  const storeStats = createStoreStatsReader(engine, clock);
  const storeCheck = createStoreCheck(engine, clock);
  const metrics = createMetrics({ ...permits, bodyBudget, engine, definitions, version: VERSION });
  const unreadResponses = createUnreadResponses(config.unreadResponses);
  const admitted = { engine, permits: runPermits, clock, unread: unreadResponses };
  const queryCache = new QueryCache({
    run: measureRuns(createRunQuery(admitted), metrics, definitions),
    isBlockedByOwner: (queryRequest, owner) =>
      runPermits.isBlockedByOwner({ owner, tenant: queryRequest.tenant, lane: laneOf(queryRequest) }),
    clock,
    limits: config.cache,
    maxWarming: config.runPermits.maxRunningBackground,
    shared: sharedResults,
  });
  observeCache(metrics.registry, queryCache, definitions);
  if (sharedResults) observeSharedResults(metrics.registry, sharedResults);
  if (given.catalog) observeCatalog(metrics.registry, given.catalog);
  observeClock(metrics.registry, clockGuard);
  observeStoreCheck(metrics.registry, storeCheck);
  observeMisfits(metrics.registry, engine);
  observeFields(metrics.registry, engine);
  if (config.store === 'clickhouse') observeStore(metrics.registry, storeStats);
  else observeSealing(metrics.registry, engine);
  const savedQueries = createSavedQueries(ofApi.queries, { ...given, queryCache, runPermits });
  const listeners = new ActiveListeners();
  return {
    ...given,
    savedQueries,
    managedSources: createManagedSources(ofApi.sources, { ...given, savedQueries, queryCache, listeners }),
    listeners,
    queryCache,
    ...permits,
    deliveries: new Deliveries(() => clock.monotonicMs()),
    bodyBudget,
    admission: createAdmission(config.rates, clock),
    requestCache: createRequestCache(() => definitions.all, config.http.maxHeaderBytes),
    storeCheck,
    sourceCheck: new SourceCheck(engine, clock, sources),
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
