/**
 * A process whose files cannot become larger than its limit, so that a seal fails in the middle. Argument: the data
 * directory. Writes what it has seen as one JSON object.
 */
import { sourceSchema } from '#contract/events/source';
import { openDuckDbStore } from '#server/stores/duckdb/duckdb-store';
import { ingestBatch } from '../stores/ingest-batch';

const [dataDir = ''] = process.argv.slice(2);

async function main(): Promise<void> {
  const seen = {
    problems: [] as string[],
    isBroken: false,
    error: null as unknown,
    accepted: 0,
    faults: [] as unknown[],
  };
  const store = await openDuckDbStore({
    dataDir,
    sources: [sourceSchema.parse({ name: 'events', columns: { project: 'STRING' }, tenant: 'project' })],
    memoryLimitMb: 64,
    threads: 1,
    onProblem: (message) => seen.problems.push(message),
    onBroken: () => (seen.isBroken = true),
  });
  try {
    await store.sealing!.sealNext(new AbortController().signal);
  } catch (error) {
    seen.error = (error as { details?: unknown }).details;
  }
  const body = Buffer.from('{"id":"after","metadata":{}}');
  const { accepted } = await store.ingest(ingestBatch({ source: 'events', body, nowMicros: Date.now() * 1000 }));
  await store.catchUp();
  seen.accepted = accepted;
  seen.faults = store.sealing!.state().sources.map(({ fault }) => fault);
  process.stdout.write(`${JSON.stringify(seen)}\n`);
  await store.close();
}

main().catch((error: Error) => process.stdout.write(`${error.message}\n`));
