/** `lqe sources history` and `restore`. */
import { formatRevisions } from '../output/format-revisions';
import { printable } from '../output/terminal';
import type { SourcesContext } from './remote-sources';

export async function showHistory(
  { remote, terminal }: SourcesContext,
  name: string,
  flags: { readonly json?: boolean }
): Promise<number> {
  const revisions = await remote.history(name);
  terminal.print(flags.json ? JSON.stringify(revisions, null, 2) : formatRevisions(revisions));
  return 0;
}

export async function restoreSource(
  { remote, terminal }: SourcesContext,
  name: string,
  revision: number,
  flags: { readonly message?: string }
): Promise<number> {
  const restored = await remote.restore(name, revision, flags.message);
  const shown = printable(restored.name);
  terminal.print(
    restored.revision === revision
      ? `Revision ${revision} of ${shown} is the newest already.`
      : `Restored revision ${revision} of ${shown} as revision ${restored.revision}.`
  );
  return 0;
}
