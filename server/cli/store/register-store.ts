/**
 * `lqe store init|check|migrate`: the tables of ClickHouse. Prints the statements, and runs them with `--yes`.
 * `lqe store seal`: past days of the embedded store. `lqe store drop-damaged`: events of it that a disk has lost.
 * `lqe store confirm-clock`: the clock, for deletions by age.
 */
import type { Command } from 'commander';
import { ServiceError } from '#contract/errors';
import type { Source } from '#contract/events/source';
import { envToConfig, readEnv } from '../../config';
import type { ClickHouseOptions } from '../../stores/clickhouse/connection/options';
import { countDoubled, reportSchema, runStatements } from '../../stores/clickhouse/schema/change-schema';
import type { SchemaReport, SchemaStep } from '../../stores/clickhouse/schema/schema';
import { allSources } from '../all-sources';
import { untilInterrupted } from '../backup/interrupt';
import { dataDirOption, sourcesFileOption } from '../file-options';
import { withOperatorMessage } from '../output/operator-message';
import { confirmClock, type ConfirmFlags } from './confirm-clock';
import type { DropDamagedFlags } from './drop-damaged-days';
import type { SealFlags } from './seal-days';

interface Flags {
  readonly dataDir: string;
  readonly sourcesFile: string;
}

interface ChangeFlags extends Flags {
  readonly yes?: boolean;
}

export function registerStore(program: Command): void {
  const store = program
    .command('store')
    .description(
      'the tables in ClickHouse (LQE_STORE=clickhouse, LQE_CLICKHOUSE_URL and the settings beside it), the days of the embedded store, and the clock'
    );
  const add = (name: string, description: string): Command =>
    store.command(name).description(description).addOption(dataDirOption()).addOption(sourcesFileOption());

  add('init', 'create the database and the missing tables')
    .option('--yes', 'run the statements; without it, they are only printed')
    .action((flags: ChangeFlags) => change(flags, ({ kind }) => kind === 'create'));
  add('migrate', 'create missing tables, and migrate those that differ from this version and the sources')
    .option('--yes', 'run the statements; without it, they are only printed')
    .action((flags: ChangeFlags) => change(flags, () => true));
  add('check', 'check that ClickHouse can be used, and list what is missing').action(check);
  add('seal', 'rewrite past days of the embedded store, so that queries read less; also while the server runs')
    .addHelpText('after', SEAL_HELP)
    .action(async (flags: SealFlags) => {
      const { sealDays } = await import('./seal-days.js');
      process.exitCode = await untilInterrupted((signal) => sealDays(flags, signal));
    });
  add('drop-damaged', 'find the events of the embedded store that cannot be read, while the server is stopped')
    .option('--yes', 'drop these events, and keep the others; without it, they are only counted')
    .addHelpText('after', DROP_DAMAGED_HELP)
    .action(async (flags: DropDamagedFlags) => {
      const { dropDamagedDays } = await import('./drop-damaged-days.js');
      process.exitCode = await untilInterrupted((signal) => dropDamagedDays(flags, signal));
    });
  store
    .command('confirm-clock')
    .description('confirm that the clock of this machine is right, so that the server deletes by age again')
    .addOption(dataDirOption())
    .option('--yes', 'confirm it; without it, the times are only printed')
    .action((flags: ConfirmFlags) => confirmClock(flags, new Date()));
}

const SEAL_HELP = `
A server does this by itself when a day has had no new events for LQE_SEAL_AFTER_MINUTES. The last line of standard output says what was done; progress is on
standard error. A stopped seal leaves the day that it was at as it was.

Exit codes: 0 done, 1 failed, 130 stopped by Ctrl-C.`;

const DROP_DAMAGED_HELP = `
All events are read. Each day with damage is a line of standard output. With --yes, such a day is written again with the events that can be read; the others are lost for good.
Copy the data folder and keep the last backup before. A stopped command leaves the day that it was at as it was.

Exit codes: 0 all events can be read, or those that cannot were dropped; 1 some cannot be read, or failed; 130 stopped by Ctrl-C.`;

async function change(flags: ChangeFlags, isWanted: (step: SchemaStep) => boolean): Promise<void> {
  const { options, report } = await readSchema(flags);
  printNotes(report);
  const steps = report.steps.filter(isWanted);
  for (const { why, statements } of steps) {
    console.log(`-- ${why}`);
    for (const statement of statements) console.log(`${statement};\n`);
  }
  const rest = report.steps.length - steps.length;
  if (rest > 0) console.log(`-- ${counted(rest, 'change')} left for "lqe store migrate"`);
  if (steps.length === 0) {
    console.log('-- nothing to do');
    return;
  }
  if (flags.yes !== true) {
    console.log('-- nothing was done; add --yes to do it');
    return;
  }
  const statements = steps.flatMap((step) => step.statements);
  let done = 0;
  await withOperatorMessage(runStatements(options, statements, () => done++)).catch((error: Error) => {
    throw new Error(`${error.message} (after ${done} of ${statements.length} statements; run it again)`);
  });
  console.log(`-- done, ${counted(statements.length, 'statement')}`);
}

async function check(flags: Flags): Promise<void> {
  const { options, sources, report } = await readSchema(flags);
  console.log(`ClickHouse ${report.version}, database ${options.database}, ${clusterName(options)}`);
  printNotes(report);
  for (const { why } of report.steps) console.log(`to do: ${why}`);
  for (const [source, count] of report.deadLetters) console.log(`${source}: ${counted(count, 'dead letter')}`);
  const doubled = report.missing.length > 0 ? [] : await withOperatorMessage(countDoubled(options, sources, report));
  for (const [source, count] of doubled)
    console.log(`${source}: ${counted(count, 'event')} of the last hour stored more than once`);
  const isGood = report.steps.length + report.problems.length === 0;
  const todo = report.steps.length > 0 ? 'run "lqe store init" or "lqe store migrate"' : 'see the problems';
  console.log(isGood ? 'ready' : `not ready: ${todo}`);
  if (!isGood) process.exitCode = 1;
}

interface Schema {
  readonly options: ClickHouseOptions;
  readonly sources: readonly Source[];
  readonly report: SchemaReport;
}

async function readSchema(flags: Flags): Promise<Schema> {
  const { store, clickhouse: options } = envToConfig(readEnv(process.env));
  const sources = await allSources(flags);
  const reading = reportSchema(options, sources);
  const report = await withOperatorMessage(store === 'clickhouse' ? reading : reading.catch(failWithoutSettings));
  return { options, sources, report };
}

/** Without settings, the commands ask the default address. */
function failWithoutSettings(error: unknown): never {
  if (!(error instanceof ServiceError) || error.details.reason !== 'unreachable') throw error;
  const hint = 'set LQE_STORE=clickhouse and LQE_CLICKHOUSE_URL; the embedded store (LQE_STORE=duckdb) needs no tables';
  throw new ServiceError(error.code, error.message, { ...error.details, hint }, { cause: error.cause });
}

function printNotes({ warnings, problems }: SchemaReport): void {
  for (const warning of warnings) console.log(`-- warning: ${warning}`);
  for (const problem of problems) console.log(`-- problem: ${problem}`);
}

function clusterName({ cluster }: ClickHouseOptions): string {
  return cluster === null ? 'a single server' : `cluster ${cluster}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
