/**
 * A process that starts a test engine on the data directory it is given, prints the engine's process id, and does
 * nothing more.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createEngineClient } from '#server/engine/client/engine-client';

async function main(dataDir: string): Promise<void> {
  const silent = () => undefined;
  const client = createEngineClient({
    engine: {
      dataDir,
      clickhouse: null,
      sources: [],
      memoryLimitMb: 64,
      rssBudgetMb: 4096,
      threads: 1,
      keptCountsMaxBytes: 0,
      searchFiltersMaxBytes: 0,
      maxConcurrentQueries: 1,
      sealAfterMinutes: null,
      maxConcurrentAdhoc: 1,
    },
    logger: { info: silent, warn: silent, error: silent },
    script: path.join(__dirname, 'engine-main.js'),
  });
  await client.start();
  process.stdout.write(readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim());
  setInterval(silent, 60_000);
}

void main(process.argv[2] as string);
