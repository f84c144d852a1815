/** `lqe copy --from duckdb --to clickhouse`: copies the events of an embedded store to ClickHouse. */
import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { envToConfig, readEnv } from '../../config';
import { allSources } from '../all-sources';
import { dataDirOption, sourcesFileOption } from '../file-options';
import { createProgress, type Progress } from '../import/progress';
import { withOperatorMessage } from '../output/operator-message';

interface Flags {
  readonly dataDir: string;
  readonly sourcesFile: string;
  readonly batchSize: number;
}

const INTERRUPTED = 130;

export function registerCopy(program: Command): void {
  program
    .command('copy')
    .description('copy the events of the embedded store to ClickHouse; run it again to continue a stopped copy')
    .addOption(new Option('--from <store>', 'where the events are').choices(['duckdb']).makeOptionMandatory())
    .addOption(new Option('--to <store>', 'where they go').choices(['clickhouse']).makeOptionMandatory())
    .addOption(dataDirOption('folder of the embedded store'))
    .addOption(sourcesFileOption())
    .option('--batch-size <events>', 'events of one batch', batchSize, 5000)
    .action(copy);
}

async function copy({ dataDir, sourcesFile, batchSize }: Flags): Promise<void> {
  // Loaded here, because these modules load both stores, which the other commands do not need.
  const { copyEvents } = await import('./copy-events.js');
  const { CopyState } = await import('./copy-state.js');
  const config = envToConfig(readEnv(process.env));
  // DuckDB creates its files with the umask of the process.
  process.umask(0o077);
  const sources = await allSources({ dataDir, sourcesFile });
  const state = new CopyState(dataDir, `${config.clickhouse.url} ${config.clickhouse.database}`);
  const abort = new AbortController();
  process.once('SIGINT', () => abort.abort());
  let progress: Progress | null = null;
  try {
    const { rows, differences, isInterrupted } = await withOperatorMessage(
      copyEvents({
        from: { dataDir, memoryLimitMb: config.engine.memoryLimitMb, threads: availableParallelism() },
        to: { ...config.clickhouse, sources, onProblem: (message) => progress?.note(message) },
        sources,
        state,
        batchSize,
        signal: abort.signal,
        onTotal: (total) => (progress = createProgress({ label: 'copy', total })),
        onProgress: (done) => progress?.update(done, done),
      })
    );
    progress = stop(progress);
    if (isInterrupted) {
      console.log('stopped; start it again to go on');
      process.exitCode = INTERRUPTED;
      return;
    }
    for (const difference of differences) console.log(difference);
    if (differences.length > 0) {
      // Progress says what was sent, and the target does not have it: the next copy begins again.
      state.remove();
      console.log('the copy differs from the original; run it again to send the missing events');
      process.exitCode = 1;
      return;
    }
    state.remove();
    console.log(`${rows.toLocaleString('en-US')} events copied; counts and checksums of every day are equal`);
  } finally {
    stop(progress);
  }
}

function stop(progress: Progress | null): null {
  progress?.stop();
  return null;
}

function batchSize(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > 50_000)
    throw new InvalidArgumentError('a whole number from 1 to 50000');
  return value;
}
