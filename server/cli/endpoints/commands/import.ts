/**
 * `lqe endpoints import`: saved queries of the older service, and files of SQL. All are checked before the first is
 * stored.
 */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { ManagementError } from '../../remote/management-client';
import { type CommandContext, EXIT_CODES, type ExitCode } from '../command';
import { codeOf } from '../folder/read-folder';
import { checkImport, type ImportResult } from '../import/check-import';
import { type ExportEntry, readExport } from '../import/read-export';
import { formatReport, formatSummary } from '../import/report';
import type { RemoteQueries } from '../remote/remote-queries';
import type { Terminal } from '../../output/terminal';

export interface ImportFlags {
  /** New names of tables by old ones. */
  readonly source: ReadonlyMap<string, string>;
  readonly replace?: boolean;
  readonly allOrNothing?: boolean;
  readonly dryRun?: boolean;
  readonly report?: string;
  readonly message?: string;
}

export async function importQueries(
  { remote, terminal }: CommandContext,
  files: readonly string[],
  flags: ImportFlags
): Promise<ExitCode> {
  if (flags.report !== undefined) ensureWritable(flags.report);
  const entries: ExportEntry[] = [];
  for (const file of files) entries.push(...(await readExport(file)));
  const options = { mapping: flags.source, replace: flags.replace ?? false };
  const checked = await checkImport(entries, remote, options);
  const isStopped = flags.dryRun || (flags.allOrNothing && checked.some(isLeftOut));
  const results = isStopped ? checked : await storeAll(checked, remote, terminal, flags.message);
  terminal.print(formatSummary(results));
  const unused = [...flags.source.keys()].filter((name) => !checked.some((each) => each.converted?.renamed.has(name)));
  for (const name of unused) terminal.warn(`No query reads the table of --source '${name}=...'.`);
  if (isStopped)
    terminal.warn(flags.dryRun ? 'Nothing was imported: --dry-run.' : 'Nothing was imported: --all-or-nothing.');
  if (flags.report !== undefined) writeReport(flags.report, results);
  return results.some(isLeftOut) || (!flags.dryRun && results.some(({ status }) => status === 'ready'))
    ? EXIT_CODES.different
    : EXIT_CODES.done;
}

function isLeftOut({ status }: ImportResult): boolean {
  return status === 'refused' || status === 'needs-source';
}

/** A report that cannot be written is an error before the import, not after it. */
function ensureWritable(file: string): void {
  try {
    closeSync(openSync(file, 'a'));
  } catch (error) {
    throw new Error(`The report ${file} cannot be written (${codeOf(error)}). Nothing was imported.`, { cause: error });
  }
}

function writeReport(file: string, results: readonly ImportResult[]): void {
  try {
    writeFileSync(file, formatReport(file, results));
  } catch (error) {
    throw new Error(
      `The report ${file} could not be written (${codeOf(error)}). The import has ended; what it did is printed above.`,
      { cause: error }
    );
  }
}

/** One refusal does not stop the others; a server that refuses the token, or does not answer, does. */
async function storeAll(
  checked: readonly ImportResult[],
  remote: RemoteQueries,
  terminal: Terminal,
  message: string | undefined
): Promise<readonly ImportResult[]> {
  const count = checked.filter(({ status }) => status === 'ready').length;
  const results: ImportResult[] = [];
  let [done, stopped] = [0, false];
  for (const result of checked) {
    if (result.status !== 'ready' || stopped) {
      results.push(result);
      continue;
    }
    try {
      const { converted, replaces } = result;
      if (replaces) await remote.replace(replaces.id, replaces.revision, converted!.text, message);
      else await remote.create(converted!.text, message);
      done += 1;
      terminal.print(`[${done}/${count}] ${replaces ? '~' : '+'} ${converted!.name}`);
      results.push({ ...result, status: 'imported' });
    } catch (error) {
      if (!(error instanceof ManagementError)) throw error;
      stopped = error.status === null || error.status >= 500 || [401, 403, 429].includes(error.status);
      results.push({ ...result, status: 'refused', reason: error.message });
    }
  }
  return results;
}
