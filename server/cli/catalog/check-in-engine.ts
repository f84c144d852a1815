/**
 * Checks that a set of definitions can be served: starts a temporary engine over the configured ClickHouse, or over an
 * empty store that is deleted afterwards.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config';
import { DefinitionsError } from '../../catalog/definitions/definition-problem';
import { checkDefinitionSet, type DefinitionSet } from '../../catalog/definitions/definition-set';
import { describeFailures } from '../../catalog/definitions/load-definitions';
import type { ApiSource } from '../../catalog/definitions/sources';
import { createEngineClient } from '../../engine/client/engine-client';

/**
 * @param ofApi sources of the API, which the saved queries of the set may read
 * @throws DefinitionsError with every problem of every text; ServiceError when ClickHouse cannot be used with these
 * sources
 */
export async function checkInEngine(
  set: DefinitionSet,
  ofApi: readonly ApiSource[],
  config: Pick<Config, 'store' | 'clickhouse'>
): Promise<void> {
  const { sources, loaded } = checkDefinitionSet(set, { queries: [], sources: ofApi });
  const dataDir = mkdtempSync(join(tmpdir(), 'lqe-check-'));
  const silent = (): void => undefined;
  const engine = createEngineClient({
    engine: {
      dataDir,
      clickhouse: config.store === 'clickhouse' ? config.clickhouse : null,
      sources: [...sources, ...ofApi],
      memoryLimitMb: 64,
      rssBudgetMb: 1024,
      threads: 1,
      keptCountsMaxBytes: 0,
      searchFiltersMaxBytes: 0,
      sealAfterMinutes: null,
      maxConcurrentQueries: 1,
      maxConcurrentAdhoc: 1,
    },
    logger: { info: silent, warn: silent, error: silent },
  });
  try {
    await engine.start();
    const definitions = loaded.map(({ definition }) => definition);
    const { failures } = await engine.call('define', { definitions, stored: [], former: [] });
    if (failures.length > 0) throw new DefinitionsError(describeFailures(loaded, failures));
  } finally {
    await engine.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
