/**
 * A process that seals every past day and is killed at one of its statements. Arguments: the data directory, the number of
 * the statement, and whether it is killed `before` it or `during` it. Writes `done` when it comes to the end.
 */
import { DuckDBConnection } from '@duckdb/node-api';
import { sourceSchema } from '#contract/source';
import { openDuckDbStore } from '#server/stores/duckdb/duckdb-store';

const [dataDir = '', at = '', when] = process.argv.slice(2);

function killAt(wanted: number): void {
  let count = 0;
  const { run } = DuckDBConnection.prototype;
  const kill = (): void => {
    process.kill(process.pid, 'SIGKILL');
  };
  DuckDBConnection.prototype.run = function (this: DuckDBConnection, ...words: Parameters<typeof run>) {
    count++;
    if (count === wanted && when === 'before') kill();
    const done = run.apply(this, words);
    if (count === wanted) setTimeout(kill, 1);
    return done;
  };
}

async function main(): Promise<void> {
  const sources = [sourceSchema.parse({ name: 'events', columns: { project: 'STRING' }, tenant: 'project' })];
  const store = await openDuckDbStore({ dataDir, sources, memoryLimitMb: 64, threads: 1 });
  killAt(Number(at));
  while ((await store.sealing!.sealNext(new AbortController().signal)) !== null);
  process.stdout.write('done\n');
  await store.close();
}

main().catch((error: Error) => process.stdout.write(`${error.message}\n`));
