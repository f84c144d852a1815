/** From configuration to a context that can serve. The only file of the server that names concrete parts. */
import { availableParallelism } from 'node:os';
import { pino } from 'pino';
import { collectDefaultMetrics } from 'prom-client';
import { systemClock } from './clock';
import type { Config } from './config';
import { type AppContext, assembleContext } from './context';
import { DefinitionsError } from './definitions/definition-problem';
import { createDefinitions } from './definitions/definitions';
import { describeFailures, loadDefinitions } from './definitions/load-definitions';
import { loadSources } from './definitions/load-sources';
import { createEngineClient } from './engine/client';
import { TokenStore } from './tokens/token-store';

/** @throws DefinitionsError when a saved query cannot be served; ServiceError when the store cannot be opened. */
export async function createContext(config: Config): Promise<AppContext> {
  const logger = pino({ level: config.logLevel, base: null });
  const sources = loadSources(config.files.sourcesFile);
  const loaded = loadDefinitions(config.files.endpointsDir, [config.files.sourcesFile]);
  const tokens = new TokenStore({
    dataDir: config.files.dataDir,
    bootstrapToken: config.bootstrapToken,
    now: () => systemClock.now(),
    onUnreadable: (error) => logger.error({ err: error }, 'the token file cannot be read: none of its tokens is valid'),
  });
  const engine = createEngineClient({
    engine: {
      dataDir: config.files.dataDir,
      sources,
      memoryLimitMb: config.engine.memoryLimitMb,
      threads: config.engine.threads || availableParallelism(),
      maxConcurrentQueries: config.runs.maxRunning,
      maxConcurrentAdhoc: config.runs.maxRunningAdhoc,
    },
    logger,
    rssBudgetMb: config.engine.rssBudgetMb,
  });
  const definitions = loaded.map((entry) => entry.definition);
  await engine.start();
  try {
    const { failures } = await engine.call('define', { definitions });
    if (failures.length > 0) throw new DefinitionsError(describeFailures(loaded, failures));
  } catch (error) {
    await engine.close();
    throw error;
  }
  const ctx = assembleContext({
    config,
    logger,
    clock: systemClock,
    engine,
    sources,
    definitions: createDefinitions(definitions),
    tokens,
  });
  collectDefaultMetrics({ register: ctx.metrics.registry });
  return ctx;
}
