/** Asks the store itself whether it holds anything, before the server takes it over. */
import { createEngineClient } from '../../build/server/engine/client/engine-client.js';
import { allSources } from '../../build/server/cli/all-sources.js';

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * @param {{ dataDir: string, sourcesFile: string }} options
 * @throws ServiceError when the store cannot be opened, for example because a server is using it.
 */
export async function isStoreEmpty({ dataDir, sourcesFile }) {
  const engine = createEngineClient({
    engine: {
      dataDir,
      clickhouse: null,
      keptCountsMaxBytes: 0,
      searchFiltersMaxBytes: 0,
      sealAfterMinutes: null,
      sources: await allSources({ dataDir, sourcesFile }),
      memoryLimitMb: 256,
      rssBudgetMb: 1024,
      threads: 1,
      maxConcurrentQueries: 1,
      maxConcurrentAdhoc: 1,
    },
    logger: SILENT,
  });
  try {
    return (await engine.start()).empty;
  } finally {
    await engine.close();
  }
}
