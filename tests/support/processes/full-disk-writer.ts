/**
 * A process whose files cannot become larger than its limit, so that the checkpoint after its events fails. Argument:
 * the data directory. Writes what it has seen as one JSON object.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { sourceSchema } from '#contract/events/source';
import { openDuckDbStore } from '#server/stores/duckdb/duckdb-store';
import { ingestBatch } from '../stores/ingest-batch';

const [dataDir = ''] = process.argv.slice(2);
/** Longer than the time after which the store counts as idle. */
const LONGEST_WAIT_MS = 20_000;

async function main(): Promise<void> {
  const seen = { problems: [] as string[], isBroken: false, accepted: 0 };
  const store = await openDuckDbStore({
    dataDir,
    sources: [sourceSchema.parse({ name: 'events', columns: { project: 'STRING' } })],
    memoryLimitMb: 64,
    threads: 1,
    onProblem: (message) => seen.problems.push(message),
    onBroken: () => (seen.isBroken = true),
  });
  const text = (n: number): string => `${n} `.repeat(300);
  const lines = Array.from({ length: 900 }, (_, n) => JSON.stringify({ id: `after${n}`, event_message: text(n) }));
  const body = Buffer.from(lines.join('\n'));
  const { accepted } = await store.ingest(ingestBatch({ source: 'events', body, nowMicros: Date.now() * 1000 }));
  seen.accepted = accepted;
  await store.catchUp();
  const until = performance.now() + LONGEST_WAIT_MS;
  while (!seen.isBroken && performance.now() < until) await delay(50);
  process.stdout.write(`${JSON.stringify(seen)}\n`, () => process.kill(process.pid, 'SIGKILL'));
}

main().catch((error: Error) => process.stdout.write(`${error.message}\n`));
