/** Starts an engine process that serves one set of definitions. */
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '#contract/errors';
import type { SavedQuery } from '#contract/queries/saved-query';
import type { Source } from '#contract/events/source';
import type { Config } from '../config';
import { DefinitionsError } from '../catalog/definitions/definition-problem';
import { type ApiDefinitions, checkDefinitionSet, type DefinitionSet } from '../catalog/definitions/definition-set';
import { describeFailures } from '../catalog/definitions/load-definitions';
import { createEngineClient, type EngineClient, type EngineLogger } from '../engine/client/engine-client';

/** Longer than the engine of a server that was killed takes to end (`ORPHAN_CLOSE_MS`). */
const FORMER_ENGINE_MS = 5_000;
const RETRY_MS = 100;

export interface OpenEngine {
  readonly engine: EngineClient;
  /** Those of the set. */
  readonly sources: readonly Source[];
  readonly definitions: readonly SavedQuery[];
}

/**
 * @throws DefinitionsError when a text cannot be served, ServiceError when the store cannot be opened; no process is
 * left running
 */
export async function openEngine(
  config: Config,
  logger: EngineLogger,
  set: DefinitionSet,
  others: ApiDefinitions
): Promise<OpenEngine> {
  const { sources, loaded } = checkDefinitionSet(set, others);
  const problem = problemOfMemory(config);
  if (problem !== null) logger.warn({}, problem);
  const engine = createEngineClient({
    engine: {
      dataDir: config.files.dataDir,
      clickhouse: config.store === 'clickhouse' ? config.clickhouse : null,
      sources: [...sources, ...others.sources],
      memoryLimitMb: config.engine.memoryLimitMb,
      rssBudgetMb: config.engine.rssBudgetMb,
      threads: config.engine.threads || availableParallelism(),
      keptCountsMaxBytes: config.engine.keptCountsMaxBytes,
      searchFiltersMaxBytes: config.engine.searchFiltersMaxBytes,
      sealAfterMinutes: config.sealAfterMinutes,
      maxConcurrentQueries: config.runPermits.maxRunning,
      maxConcurrentAdhoc: config.runPermits.maxRunningAdhoc,
    },
    logger,
  });
  await startAfterFormer(engine, logger);
  try {
    const definitions = loaded.map(({ definition }) => definition);
    const { failures } = await engine.call('define', {
      definitions,
      stored: others.queries.map(({ definition }) => definition),
      former: [],
    });
    if (failures.length > 0) throw new DefinitionsError(describeFailures(loaded, failures));
    return { engine, sources, definitions };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** @returns null when queries reach their own memory limit before the process is ended for its size */
export function problemOfMemory({
  store,
  engine: { memoryLimitMb, rssBudgetMb },
}: Pick<Config, 'store' | 'engine'>): string | null {
  if (store !== 'duckdb' || rssBudgetMb > memoryLimitMb) return null;
  return (
    `LQE_ENGINE_RSS_MB (${rssBudgetMb}) is not above LQE_ENGINE_MEMORY_MB (${memoryLimitMb}): ` +
    'the engine is ended before a query reaches its memory limit. Set it to about twice the other.'
  );
}

/** Waits for the engine of a server that was killed a moment ago, which still has the data directory. */
async function startAfterFormer(engine: EngineClient, logger: EngineLogger): Promise<void> {
  const until = performance.now() + FORMER_ENGINE_MS;
  for (let attempt = 1; ; attempt++) {
    try {
      await engine.start();
      return;
    } catch (error) {
      const isInUse = error instanceof ServiceError && error.details['reason'] === 'in_use';
      if (!isInUse || performance.now() > until) throw error;
    }
    if (attempt === 1) logger.warn({}, 'the data directory is in use by another process: the start waits for its end');
    await delay(RETRY_MS);
  }
}
