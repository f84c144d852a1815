/**
 * A process that opens the embedded store: `open` says how that went; `ingest` stores batches of 100 events in order
 * and writes the number of batches that were acknowledged, until it is killed. Arguments: the data directory, the mode.
 */
import { sourceSchema } from '#contract/events/source';
import { openDuckDbStore } from '#server/stores/duckdb/duckdb-store';
import { ingestBatch } from '../stores/ingest-batch';

const [dataDir = '', mode] = process.argv.slice(2);

async function main(): Promise<void> {
  const sources = [sourceSchema.parse({ name: 'events', columns: { project: 'STRING' } })];
  const store = await openDuckDbStore({ dataDir, sources, memoryLimitMb: 256, threads: 1 });
  for (let batch = 0; mode === 'ingest' && batch < 10_000; batch++) {
    const lines = Array.from({ length: 100 }, (_, i) => {
      const n = batch * 100 + i;
      return JSON.stringify({ id: `e${n}`, timestamp: 1795172400 + n, metadata: { n } });
    });
    await store.ingest(ingestBatch({ source: 'events', body: Buffer.from(lines.join('\n')), nowMicros: 1795172400e6 }));
    process.stdout.write(`${batch + 1}\n`);
  }
  await store.close();
}

main().then(
  () => process.stdout.write('opened\n'),
  (error: Error) => process.stdout.write(`${error.message}\n`)
);
