/** `lqe import FILE --source NAME`: sends the events of a file to a running server. */
import { Option, type Command } from 'commander';
import { EXPORT_FORMS, type ExportForm } from './exports/read-export';
import { createIngestClient } from './ingest-client';
import { ImportError } from './import-error';
import { importEvents, type ImportSummary } from './import-events';
import { openInput } from './input/open-input';
import { createProgress } from './progress';
import { wholeNumber } from '../output/whole-number';
import { addServerOptions } from '../remote/server-options';
import { noToken } from '../remote/server-target';
import { printable } from '../output/terminal';

/** Exit codes. 0: everything is stored; 2: some events were rejected; 1: the import failed; 130: stopped by Ctrl-C. */
const EXIT_CODES = { complete: 0, failed: 1, rejected: 2, interrupted: 130 } as const;

interface ImportFlags {
  readonly source: string;
  readonly url: string;
  readonly token?: string;
  readonly project?: string;
  readonly format?: ExportForm | 'events';
  readonly batchSize: number;
  readonly from: number;
  readonly retryFor: number;
  readonly continueOnError?: boolean;
}

export function registerImport(program: Command): void {
  addServerOptions(program.command('import').description('send the events of a file to a running server'))
    .argument(
      '<file>',
      'NDJSON, JSON objects, a JSON array or an answer of the API (each may be gzipped), Parquet, or - for standard input'
    )
    .requiredOption('-s, --source <name>', 'the source the events belong to, e.g. edge_requests')
    .option('--project <project>', 'tenant of all events of the file, in place of the tenant in each event')
    .addOption(
      new Option('--format <format>', 'form of the events (default: recognized by the first one)').choices([
        'events',
        ...EXPORT_FORMS,
      ])
    )
    .option('--batch-size <events>', 'events per request', wholeNumber, 1000)
    .option('--from <place>', 'skip events before this line, event (JSON array) or row (Parquet)', wholeNumber, 1)
    .option('--retry-for <seconds>', 'how long to wait for a server that is busy or away', wholeNumber, 60)
    .option('--continue-on-error', 'go on after events were rejected')
    .addHelpText('after', HELP)
    .action(async (file: string, flags: ImportFlags) => {
      process.exitCode = await runImport(file, flags);
    });
}

const HELP = `
The access token needs the scope ingest.

Running the same import again is harmless, also after the file has grown: events are recognized by their ids, and an event
without an id gets one made from the file up to its end. (One without a timestamp gets the time of its arrival, and is
recognized until the end of the next day.)

Exit codes: 0 all stored, 2 some rejected, 1 failed, 130 stopped by Ctrl-C.`;

async function runImport(file: string, flags: ImportFlags): Promise<number> {
  const stop = new AbortController();
  const onSignal = (): void => {
    if (stop.signal.aborted) process.exit(EXIT_CODES.interrupted);
    stop.abort();
  };
  process.on('SIGINT', onSignal);
  try {
    return await importFile(file, flags, stop.signal);
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    console.error(`import failed: ${printable(error.message)}`);
    return EXIT_CODES.failed;
  } finally {
    process.off('SIGINT', onSignal);
    if (file === '-') process.stdin.destroy(); // an unfinished read would keep the process alive
  }
}

async function importFile(file: string, flags: ImportFlags, signal: AbortSignal): Promise<number> {
  const token = flags.token ?? process.env.LQE_TOKEN;
  if (token === undefined || token === '') throw new ImportError(noToken('ingest'));
  const input = await openInput(file);
  const progress = createProgress({ label: flags.source, total: input.progress.total });
  const client = createIngestClient(
    { url: flags.url, token, source: flags.source, project: flags.project },
    {
      patienceMs: flags.retryFor * 1000,
      signal,
      onWait: (reason, waitMs) =>
        progress.note(`${printable(reason)}; trying again in ${(waitMs / 1000).toFixed(1)} s`),
    }
  );
  let latest: ImportSummary | undefined;
  try {
    const summary = await importEvents(input, client, {
      batchEvents: flags.batchSize,
      form: flags.format,
      continueOnError: flags.continueOnError ?? false,
      fromPlace: flags.from,
      signal,
      onForm: (sentence) => progress.note(sentence),
      onProgress: (reached) => {
        latest = reached;
        progress.update(input.progress.read(), reached.accepted);
      },
    });
    progress.stop();
    report(summary, input.placeName);
    noteEnd(summary, flags.from, input.placeName);
    return exitCode(summary);
  } catch (error) {
    progress.stop();
    if (latest !== undefined) report(latest, input.placeName);
    throw error;
  }
}

function report(summary: ImportSummary, placeName: string): void {
  const fresh = summary.accepted - summary.duplicates;
  console.log(
    `accepted ${grouped(summary.accepted)} (${grouped(fresh)} new, ${grouped(summary.duplicates)} stored already), ` +
      `rejected ${grouped(summary.rejected)}`
  );
  for (const { place, code, message } of summary.rejections) {
    console.error(printable(`  ${placeName} ${place}: ${code}${message === '' ? '' : `: ${message}`}`));
  }
  const hidden = summary.rejected - summary.rejections.length;
  if (hidden > 0) console.error(`  and ${grouped(hidden)} more`);
  if (summary.end === 'rejected') {
    console.error('stopped because events were rejected; give --continue-on-error to send the rest');
  } else if (summary.end !== 'complete' && summary.lastPlace > 0) {
    console.error(
      `everything up to ${placeName} ${summary.lastPlace} is answered for; to go on, run the same command ` +
        `with --from ${summary.lastPlace + 1} (or just run it again: stored events are recognized)`
    );
  }
}

/**
 * Says that nothing was sent where the first place is behind the end of the input.
 *
 * @throws ImportError for a place that no interrupted import names
 */
export function noteEnd({ end, readTo }: ImportSummary, from: number, placeName: string): void {
  if (end !== 'complete' || from === 1 || readTo >= from) return;
  const reason = `the input ends with ${placeName} ${readTo}, so there was nothing to send with --from ${from}`;
  if (from > readTo + 1) throw new ImportError(reason);
  console.error(reason);
}

function exitCode(summary: ImportSummary): number {
  if (summary.end === 'interrupted') return EXIT_CODES.interrupted;
  return summary.rejected > 0 ? EXIT_CODES.rejected : EXIT_CODES.complete;
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
