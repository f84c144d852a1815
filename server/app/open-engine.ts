/** Starts an engine process that serves one set of definitions. */
import { availableParallelism } from 'node:os';
import type { SavedQuery } from '#contract/queries/saved-query';
import type { Source } from '#contract/events/source';
import type { Config } from '../config';
import { DefinitionsError } from '../catalog/definitions/definition-problem';
import { checkDefinitionSet, type DefinitionSet } from '../catalog/definitions/definition-set';
import { describeFailures, type OtherDefinition } from '../catalog/definitions/load-definitions';
import { createEngineClient, type EngineClient, type EngineLogger } from '../engine/client/engine-client';

export interface OpenEngine {
  readonly engine: EngineClient;
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
  others: readonly OtherDefinition[]
): Promise<OpenEngine> {
  const { sources, loaded } = checkDefinitionSet(set, others);
  const engine = createEngineClient({
    engine: {
      dataDir: config.files.dataDir,
      clickhouse: config.store === 'clickhouse' ? config.clickhouse : null,
      sources,
      memoryLimitMb: config.engine.memoryLimitMb,
      rssBudgetMb: config.engine.rssBudgetMb,
      threads: config.engine.threads || availableParallelism(),
      keptCountsMaxBytes: config.engine.keptCountsMaxBytes,
      searchFiltersMaxBytes: config.engine.searchFiltersMaxBytes,
      sealAfterMinutes: config.sealAfterMinutes,
      maxConcurrentQueries: config.runs.maxRunning,
      maxConcurrentAdhoc: config.runs.maxRunningAdhoc,
    },
    logger,
  });
  await engine.start();
  try {
    const definitions = loaded.map(({ definition }) => definition);
    const { failures } = await engine.call('define', {
      definitions,
      stored: others.map(({ definition }) => definition),
      former: [],
    });
    if (failures.length > 0) throw new DefinitionsError(describeFailures(loaded, failures));
    return { engine, sources, definitions };
  } catch (error) {
    await engine.close();
    throw error;
  }
}
