/** `lqe endpoints list` and `show`. */
import { formatDefinition } from '../../../catalog/saved-queries/definition-text';
import { formatTable } from '../../output/format-table';
import { type CommandContext, EXIT_CODES, type ExitCode } from '../command';
import { printable, printableLine } from '../../output/terminal';

const DESCRIPTION_WIDTH = 60;

export async function list(
  { remote, terminal }: CommandContext,
  flags: { readonly json?: boolean }
): Promise<ExitCode> {
  const queries = await remote.list();
  if (flags.json) terminal.print(JSON.stringify(queries, null, 2));
  else {
    const rows = queries.map(({ name, origin, revision, updated_at, description }) => [
      printable(name),
      origin,
      String(revision),
      updated_at ?? '-',
      printableLine(description, DESCRIPTION_WIDTH),
    ]);
    terminal.print(formatTable(['NAME', 'ORIGIN', 'REVISION', 'CHANGED', 'DESCRIPTION'], rows));
  }
  return EXIT_CODES.done;
}

export async function show(
  { remote, terminal }: CommandContext,
  name: string,
  flags: { readonly revision?: number; readonly json?: boolean }
): Promise<ExitCode> {
  if (flags.revision === undefined) {
    const served = await remote.read(name);
    if (flags.json) terminal.print(JSON.stringify(served, null, 2));
    else if (served.origin === 'file') terminal.printExactly(formatDefinition(served));
    else terminal.printExactly(textOf(name, await remote.revision(served.id, served.revision)));
    return EXIT_CODES.done;
  }
  const revision = await remote.revision(name, flags.revision);
  if (flags.json) terminal.print(JSON.stringify(revision, null, 2));
  else terminal.printExactly(textOf(name, revision));
  return EXIT_CODES.done;
}

function textOf(name: string, { revision, yaml }: { readonly revision: number; readonly yaml: string | null }): string {
  if (yaml !== null) return yaml;
  throw new Error(`Revision ${revision} deleted "${printable(name)}". lqe endpoints history lists those before it.`);
}
