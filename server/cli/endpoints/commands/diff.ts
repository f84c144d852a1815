/** `lqe endpoints diff`: two revisions of a saved query, or a folder against the server. */
import { statSync } from 'node:fs';
import { type CommandContext, EXIT_CODES, type ExitCode, failWith } from '../command';
import { formatDiff } from '../diff/format-diff';
import { readFolder } from '../folder/read-folder';
import { makePlan } from '../plan/make-plan';
import { formatChange, listed } from '../plan/print-plan';
import { readServed } from '../remote/read-served';
import { printable } from '../../output/terminal';

export async function diff(
  context: CommandContext,
  target: string,
  from: number | undefined,
  to: number | undefined
): Promise<ExitCode> {
  const isFolder = from === undefined && (/^\.{0,2}$|\//.test(target) || isExistingFolder(target));
  return isFolder ? diffFolder(context, target) : diffRevisions(context, target, from, to);
}

function isExistingFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

async function diffRevisions(
  { remote, terminal }: CommandContext,
  name: string,
  from: number | undefined,
  to: number | undefined
): Promise<ExitCode> {
  const newest = to ?? (await remote.history(name, 1))[0]?.revision ?? 1;
  const first = from ?? newest - 1;
  if (first < 1) {
    terminal.print(`${printable(name)} has one revision.`);
    return EXIT_CODES.done;
  }
  const [before, after] = [await remote.revision(name, first), await remote.revision(name, newest)];
  const [left, right] = [before, after].map((each) => ({
    name: `${each.name} (revision ${each.revision}, ${each.time})`,
    text: each.yaml ?? '',
  }));
  const text = formatDiff(left!, right!, terminal.hasColor);
  if (text === '') return EXIT_CODES.done;
  terminal.print(text);
  return EXIT_CODES.different;
}

async function diffFolder({ remote, terminal }: CommandContext, folder: string): Promise<ExitCode> {
  const { locals, problems } = readFolder(folder);
  if (problems.length > 0) return failWith(problems, terminal);
  const served = await readServed(remote);
  const { plan } = makePlan(locals, served, false);
  for (const change of plan.changes)
    terminal.print(
      change.kind === 'create'
        ? `Only in ${printable(folder)}: ${change.local.definition.name}`
        : formatChange(change, terminal.hasColor)
    );
  for (const { name } of plan.leftOver) terminal.print(`Only on the server: ${printable(name)}`);
  if (served.elsewhere.length > 0)
    terminal.warn(`Not compared, managed in files of the server: ${listed(served.elsewhere.map(({ name }) => name))}.`);
  return plan.changes.length + plan.leftOver.length === 0 ? EXIT_CODES.done : EXIT_CODES.different;
}
