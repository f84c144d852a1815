/** From configuration to a context that can serve. The only file of the server that names concrete parts. */
import type { KeyObject } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type Logger, pino } from 'pino';
import { collectDefaultMetrics } from 'prom-client';
import { openSharedLink } from './cache/shared-link';
import { createSharedResults, type SharedResults } from './cache/shared-results';
import { CatalogWatch } from './catalog-db/catalog-watch';
import { openCatalog } from './catalog-db/open-catalog';
import { readRevisions, readStoredSet } from './catalog-db/stored-definitions';
import { systemClock } from './clock';
import type { Config } from './config';
import { type AppContext, assembleContext } from './context';
import { DefinitionsError } from './definitions/definition-problem';
import { checkDefinitionSet, type DefinitionSet, readDefinitionSet } from './definitions/definition-set';
import { createDefinitions } from './definitions/definitions';
import { describeFailures } from './definitions/load-definitions';
import { serveDefinitions } from './definitions/serve-definitions';
import { createSources, type Sources } from './definitions/sources';
import { createEngineClient } from './engine/client';
import { storeIdentity } from './store-identity';
import { loadServerKey } from './tokens/server-key';
import { TokenFileShelf } from './tokens/token-file-shelf';
import { TokenStore } from './tokens/token-store';
import { VERSION } from './version';

/**
 * @throws DefinitionsError when a saved query cannot be served; ServiceError when the store cannot be opened; CatalogError when the
 * database of the catalog does not answer or holds none
 */
export async function createContext(config: Config): Promise<AppContext> {
  const logger = pino({ level: config.logLevel, base: null });
  const key = loadServerKey(config.files.dataDir, config.serverKey);
  const { set, catalog } = await findDefinitions(config, key, logger);
  try {
    return await createContextWith(config, { set, catalog, key, logger });
  } catch (error) {
    await catalog?.stop();
    throw error;
  }
}

interface FoundDefinitions {
  readonly set: DefinitionSet;
  /** Null: tokens and definitions are in files. */
  readonly catalog: CatalogWatch | null;
}

interface Parts extends FoundDefinitions {
  readonly key: KeyObject;
  readonly logger: Logger;
}

async function findDefinitions({ catalog, files }: Config, key: KeyObject, logger: Logger): Promise<FoundDefinitions> {
  if (!catalog) return { set: readDefinitionSet(files.endpointsDir, files.sourcesFile), catalog: null };
  const database = await openCatalog(catalog.url, key);
  try {
    const { definitions: servedRevision } = await readRevisions(database);
    const set = await readStoredSet(database, servedRevision);
    const { maxAgeMs } = catalog;
    return { set, catalog: new CatalogWatch({ database, clock: systemClock, logger, maxAgeMs, servedRevision }) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function createContextWith(config: Config, { set, catalog, key, logger }: Parts): Promise<AppContext> {
  const { sources: declared, loaded } = checkDefinitionSet(set);
  const shelf =
    catalog ??
    new TokenFileShelf({
      dataDir: config.files.dataDir,
      onUnreadable: (error) =>
        logger.error({ err: error }, 'the token file cannot be read: none of its tokens is valid'),
    });
  const { bootstrapToken } = config;
  const tokens = new TokenStore({ shelf, key, bootstrapToken, now: () => systemClock.now() });
  const engine = createEngineClient({
    engine: {
      dataDir: config.files.dataDir,
      clickhouse: config.store === 'clickhouse' ? config.clickhouse : null,
      sources: declared,
      memoryLimitMb: config.engine.memoryLimitMb,
      threads: config.engine.threads || availableParallelism(),
      maxConcurrentQueries: config.runs.maxRunning,
      maxConcurrentAdhoc: config.runs.maxRunningAdhoc,
    },
    logger,
    rssBudgetMb: config.engine.rssBudgetMb,
  });
  const served = loaded.map((entry) => entry.definition);
  await engine.start();
  try {
    const { failures } = await engine.call('define', { definitions: served, former: [] });
    if (failures.length > 0) throw new DefinitionsError(describeFailures(loaded, failures));
    const definitions = createDefinitions(served);
    const sources = createSources(declared);
    const sharedResults = await openSharedResults(config, { key, logger, sources });
    const ctx = assembleContext({
      config,
      logger,
      clock: systemClock,
      engine,
      sources,
      definitions,
      tokens,
      catalog,
      sharedResults,
    });
    collectDefaultMetrics({ register: ctx.metrics.registry });
    const forget = (endpointId: string): void => ctx.runs.forget(endpointId);
    await catalog?.start((next) => serveDefinitions(next, { engine, definitions, sources, forget }));
    return ctx;
  } catch (error) {
    await engine.close();
    throw error;
  }
}

async function openSharedResults(
  config: Config,
  { key, logger, sources }: Pick<Parts, 'key' | 'logger'> & { readonly sources: Sources }
): Promise<SharedResults | null> {
  if (!config.sharedCache) return null;
  if (config.serverKey === null)
    logger.warn('LQE_CACHE_URL without LQE_SERVER_KEY: results are shared only by servers with the same server.key');
  const link = await openSharedLink({ ...config.sharedCache, clock: systemClock, logger });
  const store = storeIdentity(config);
  const scope = (): string => JSON.stringify([VERSION, store, sources.all]);
  return createSharedResults({ link, serverKey: key, scope, clock: systemClock });
}
