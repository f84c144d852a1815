/** `lqe endpoints history`, `restore` and `delete`. */
import { formatRevisions } from '../../output/format-revisions';
import { type CommandContext, EXIT_CODES, type ExitCode } from '../command';
import { printable } from '../../output/terminal';

export async function history(
  { remote, terminal }: CommandContext,
  name: string,
  flags: { readonly json?: boolean }
): Promise<ExitCode> {
  const revisions = await remote.history(name);
  if (flags.json) terminal.print(JSON.stringify(revisions, null, 2));
  else terminal.print(formatRevisions(revisions));
  return EXIT_CODES.done;
}

export async function restore(
  { remote, terminal }: CommandContext,
  name: string,
  revision: number,
  flags: { readonly message?: string }
): Promise<ExitCode> {
  const restored = await remote.restore(name, revision, flags.message);
  terminal.print(`Restored revision ${revision} of ${printable(restored.name)} as revision ${restored.revision}.`);
  return EXIT_CODES.done;
}

export async function remove(
  { remote, terminal }: CommandContext,
  name: string,
  flags: { readonly yes?: boolean; readonly message?: string }
): Promise<ExitCode> {
  const served = await remote.read(name);
  const shown = printable(served.name);
  if (!flags.yes) {
    if (!terminal.isInteractive)
      throw new Error('Nothing was deleted: give --yes, because there is no terminal to ask.');
    const answer = await terminal.ask(
      `Delete ${shown} (revision ${served.revision})? Callers get 404 at once. Type its name to delete it: `
    );
    if (answer !== served.name) throw new Error('Nothing was deleted: this is not the name.');
  }
  await remote.remove(served.id, served.revision, flags.message);
  terminal.print(`Deleted ${shown}. To bring it back: lqe endpoints restore ${served.id} ${served.revision}`);
  return EXIT_CODES.done;
}
