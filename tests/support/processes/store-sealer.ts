/**
 * A process that seals every past day, gives the room of their file back, and is killed at one of its statements.
 * Arguments: the data directory, the number of the statement, whether it is killed `before` it or N milliseconds
 * after its start, and a piece of the first statement that counts (all do without one). Writes `done` at the end.
 */
import { DuckDBConnection } from '@duckdb/node-api';
import { sourceSchema } from '#contract/events/source';
import { openDuckDbStore } from '#server/stores/duckdb/duckdb-store';

const [dataDir = '', at = '', when, first = ''] = process.argv.slice(2);

function killAt(wanted: number): void {
  let count = 0;
  const { run } = DuckDBConnection.prototype;
  const kill = (): void => {
    process.kill(process.pid, 'SIGKILL');
  };
  DuckDBConnection.prototype.run = function (this: DuckDBConnection, ...words: Parameters<typeof run>) {
    if (count > 0 || words[0].includes(first)) count++;
    if (count === wanted && when === 'before') kill();
    const done = run.apply(this, words);
    if (count === wanted) setTimeout(kill, Number(when));
    return done;
  };
}

async function main(): Promise<void> {
  const sources = [sourceSchema.parse({ name: 'events', columns: { project: 'STRING' }, tenant: 'project' })];
  const store = await openDuckDbStore({ dataDir, sources, memoryLimitMb: 64, threads: 1, leastFreeBytes: 1 });
  killAt(Number(at));
  while ((await store.sealing!.sealNext(new AbortController().signal)) !== null);
  process.stdout.write('done\n');
  await store.close();
}

main().catch((error: Error) => process.stdout.write(`${error.message}\n`));
