/** Creates the server's context from its configuration: token repository, engine, cache and metrics. */
import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { collectDefaultMetrics } from 'prom-client';
import { openRedisClient } from '../cache/redis/client';
import { RedisResults } from '../cache/redis/results';
import type { SharedResults } from '../cache/shared-results';
import { RevisionFolder } from '../catalog/revisions/revision-folder';
import { SAVED_QUERY, SOURCE } from '../catalog/revisions/kind';
import { QUERY_TABLE } from '../catalog/database/stored-queries';
import { StoredRevisions } from '../catalog/database/stored-revisions';
import { SOURCE_TABLE } from '../catalog/database/stored-sources';
import { createStoredAudit } from '../catalog/database/stored-audit';
import type { AuditLog } from '../catalog/audit/audit-log';
import { readSavedQueries } from '../catalog/saved-queries/read-saved-queries';
import { readSources } from '../catalog/sources/read-sources';
import { AuditFiles } from '../catalog/audit/audit-files';
import { CatalogWatch } from '../catalog/database/catalog-watch';
import { openCatalog } from '../catalog/database/open-catalog';
import { openServableSet } from '../catalog/database/servable-set';
import { systemClock } from '../common/clock';
import type { Config } from '../config';
import { type AppContext, assembleContext, type ContextParts } from './context';
import { createLogger } from '../monitoring/create-logger';
import type { LogOutput } from '../monitoring/log-output';
import { observeLog } from '../monitoring/metrics/observe-log';
import { type DefinitionSet, readDefinitionSet } from '../catalog/definitions/definition-set';
import { createDefinitions } from '../catalog/definitions/definitions';
import { serveDefinitions } from '../catalog/definitions/serve-definitions';
import { createSources, type Sources } from '../catalog/definitions/sources';
import { type OpenEngine, openEngine } from './open-engine';
import { programIdentity } from './program-identity';
import { storeIdentity } from './store/store-identity';
import { loadServerKey, missingServerKey } from '../catalog/tokens/secrets/server-key';
import { TOKEN_FILE } from '../catalog/tokens/file/token-file';
import { TokenFileRepository } from '../catalog/tokens/file/token-file-repository';
import { TokenStore } from '../catalog/tokens/token-store';
import { makePrivateFolder } from '../common/files/private-folder';
import { ensureRestored } from '../common/data-folder/unfinished-restore';

/**
 * @throws DefinitionsError when a saved query cannot be served; ServiceError when the store cannot be opened;
 * CatalogError when the catalog database does not answer or contains no catalog
 */
export async function createContext(config: Config, output: LogOutput): Promise<AppContext> {
  ensureRestored(config.files.dataDir);
  const logger = createLogger(config.logLevel, output);
  output.onRecovery((lines) => logger.warn({ lines }, 'log lines were dropped, because they could not be written'));
  const key = loadKey(config, logger);
  const { served, catalog, ...opened } = await openDefinitions(config, key, logger);
  try {
    return await createContextWith(config, { served, catalog, ...opened, key, logger, output });
  } catch (error) {
    await catalog?.stop();
    await served.engine.close();
    throw error;
  }
}

/** A key that is made now is not the one of the tokens that are there. */
function loadKey({ files: { dataDir }, serverKey, catalog }: Config, logger: Logger): KeyObject {
  const isLost =
    catalog === null && missingServerKey(dataDir, serverKey) !== null && existsSync(join(dataDir, TOKEN_FILE));
  const key = loadServerKey(dataDir, serverKey);
  if (isLost) logger.warn(LOST_KEY);
  return key;
}

const LOST_KEY =
  'server.key was missing and has been created: no token of tokens.json is valid with it. Put server.key of a backup in' +
  ' its place and start again, or create the tokens again';

interface OpenDefinitions {
  readonly served: OpenEngine;
  readonly ofApi: ContextParts['ofApi'];
  readonly audit: AuditLog;
  /** Null: tokens and definitions are in files. */
  readonly catalog: CatalogWatch | null;
}

interface Parts extends OpenDefinitions {
  readonly key: KeyObject;
  readonly logger: Logger;
  readonly output: LogOutput;
}

async function openDefinitions(config: Config, key: KeyObject, logger: Logger): Promise<OpenDefinitions> {
  const { catalog } = config;
  return catalog ? openShared(config, catalog, key, logger) : openFiles(config, logger);
}

async function openFiles(config: Config, logger: Logger): Promise<OpenDefinitions> {
  const { dataDir, endpointsDir, sourcesFile } = config.files;
  const audit = new AuditFiles(dataDir);
  const queries = await readSavedQueries(new RevisionFolder(dataDir, audit, SAVED_QUERY));
  const sources = await readSources(new RevisionFolder(dataDir, audit, SOURCE));
  const others = { queries: queries.definitions, sources: sources.definitions };
  const served = await openEngine(config, logger, readDefinitionSet(endpointsDir, sourcesFile), others);
  return { served, ofApi: { queries, sources }, audit, catalog: null };
}

async function openShared(
  config: Config,
  { url, maxAgeMs }: NonNullable<Config['catalog']>,
  key: KeyObject,
  logger: Logger
): Promise<OpenDefinitions> {
  const database = await openCatalog(url, key);
  makeFolder(config.files.dataDir);
  try {
    const queries = await readSavedQueries(new StoredRevisions(database, QUERY_TABLE));
    const sources = await readSources(new StoredRevisions(database, SOURCE_TABLE));
    const others = { queries: queries.definitions, sources: sources.definitions };
    const open = (set: DefinitionSet): Promise<OpenEngine> => openEngine(config, logger, set, others);
    const {
      opened,
      revision: servedRevision,
      refusedRevision,
      pushMark,
    } = await openServableSet(database, logger, open);
    const watched = { database, clock: systemClock, logger, maxAgeMs, servedRevision, refusedRevision, pushMark };
    const audit = createStoredAudit(database);
    return { served: opened, ofApi: { queries, sources }, audit, catalog: new CatalogWatch(watched) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Nothing that must be kept is in it: a server without one serves, and logs what it could not write. */
function makeFolder(dataDir: string): void {
  try {
    makePrivateFolder(dataDir);
  } catch {
    // The log gets the cause with each file that cannot be written.
  }
}

async function createContextWith(
  config: Config,
  { served, ofApi, audit, catalog, key, logger, output }: Parts
): Promise<AppContext> {
  const { engine } = served;
  const repository =
    catalog ??
    new TokenFileRepository({
      dataDir: config.files.dataDir,
      onUnreadable: (error) =>
        logger.error({ err: error }, 'the token file cannot be read: none of its tokens is valid'),
    });
  const { bootstrapToken } = config;
  const tokens = new TokenStore({ repository, key, bootstrapToken, now: () => systemClock.now() });
  const definitions = createDefinitions(
    served.definitions,
    ofApi.queries.definitions.map(({ definition }) => definition)
  );
  const sources = createSources(served.sources, ofApi.sources.definitions);
  const sharedResults = await openSharedResults(config, { key, logger, sources });
  const ctx = assembleContext({
    config,
    logger,
    clock: systemClock,
    engine,
    sources,
    definitions,
    tokens,
    tokenRegister: repository,
    catalog,
    audit,
    ofApi,
    sharedResults,
  });
  collectDefaultMetrics({ register: ctx.metrics.registry });
  observeLog(ctx.metrics.registry, output);
  const forget = (endpointId: string): void => ctx.queryCache.forget(endpointId);
  await catalog?.start(
    (next) => ctx.savedQueries.exclusively(() => serveDefinitions(next, { engine, definitions, sources, forget })),
    { sources: () => ctx.managedSources.follow(), queries: () => ctx.savedQueries.follow() }
  );
  return ctx;
}

async function openSharedResults(
  config: Config,
  { key, logger, sources }: Pick<Parts, 'key' | 'logger'> & { readonly sources: Sources }
): Promise<SharedResults | null> {
  if (!config.sharedCache) return null;
  if (config.serverKey === null)
    logger.warn('LQE_CACHE_URL without LQE_SERVER_KEY: results are shared only by servers with the same server.key');
  const client = await openRedisClient({ ...config.sharedCache, clock: systemClock, logger });
  const store = storeIdentity(config);
  const program = programIdentity();
  const scope = (): string => JSON.stringify([program, store, sources.all]);
  return new RedisResults({ client, serverKey: key, scope, clock: systemClock });
}
