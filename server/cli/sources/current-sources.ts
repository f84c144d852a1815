/** `lqe sources list`, `show` and `delete`. */
import { formatSource } from '../../catalog/sources/source-text';
import { formatTable } from '../output/format-table';
import { printable, printableLine } from '../output/terminal';
import type { RevisionText } from '../remote/answers';
import type { ReadSource, SourcesContext } from './remote-sources';

const DESCRIPTION_WIDTH = 60;

export async function listSources({ remote, terminal }: SourcesContext, flags: { readonly json?: boolean }) {
  const sources = await remote.list();
  if (flags.json) terminal.print(JSON.stringify(sources, null, 2));
  else {
    const rows = sources.map(({ name, origin, retention_days, events, newest_event, description }) => [
      printable(name),
      origin,
      String(retention_days),
      events.toLocaleString('en-US'),
      newest_event ?? '-',
      printableLine(description, DESCRIPTION_WIDTH),
    ]);
    terminal.print(formatTable(['NAME', 'ORIGIN', 'DAYS', 'EVENTS', 'NEWEST', 'DESCRIPTION'], rows));
  }
  return 0;
}

export async function showSource(
  { remote, terminal }: SourcesContext,
  name: string,
  flags: { readonly revision?: number; readonly json?: boolean }
): Promise<number> {
  if (flags.revision !== undefined) {
    const revision = await remote.revision(name, flags.revision);
    if (flags.json) terminal.print(JSON.stringify(revision, null, 2));
    else terminal.printExactly(textOf(revision));
    return 0;
  }
  const source = existing(await remote.read(name), name);
  if (flags.json) terminal.print(JSON.stringify(source, null, 2));
  else terminal.printExactly(source.yaml ?? formatSource(source));
  return 0;
}

export async function removeSource(
  { remote, terminal }: SourcesContext,
  name: string,
  flags: { readonly yes?: boolean; readonly deleteEvents?: boolean; readonly message?: string }
): Promise<number> {
  const source = existing(await remote.read(name), name);
  if (source.revision === null)
    throw new Error(`The source ${printable(source.name)} is declared in a file of the server. Remove it there.`);
  if (!flags.yes) {
    if (!terminal.isInteractive)
      throw new Error('Nothing was deleted: give --yes, because there is no terminal to ask.');
    const events = flags.deleteEvents ? 'Its events are deleted, too, for good' : 'Its events stay in the store';
    const answer = await terminal.ask(
      `Delete ${printable(source.name)}? ${events}, and new ones are refused. Type its name to delete it: `
    );
    if (answer !== source.name) throw new Error('Nothing was deleted: this is not the name.');
  }
  await remote.remove(source.name, source.revision, flags.deleteEvents === true, flags.message);
  const shown = printable(source.name);
  const rest = flags.deleteEvents ? ' and its events. To bring back its definition' : '. To bring it back';
  terminal.print(`Deleted ${shown}${rest}: lqe sources restore ${shown} ${source.revision}`);
  return 0;
}

function textOf({ name, revision, yaml }: RevisionText): string {
  if (yaml !== null) return yaml;
  throw new Error(`Revision ${revision} deleted ${printable(name)}. lqe sources history lists those before it.`);
}

function existing(source: ReadSource | null, name: string): ReadSource {
  if (source !== null) return source;
  throw new Error(
    `There is no source ${printable(name)}. lqe sources list shows them; lqe sources history that of a deleted one.`
  );
}
