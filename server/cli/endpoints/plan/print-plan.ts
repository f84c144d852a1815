/** Shows a plan: `+` new, `~` changed with the difference, `-` deleted. */
import { formatDiff } from '../diff/format-diff';
import { printable, type Terminal } from '../../output/terminal';
import type { Change, Plan } from './make-plan';

export function printPlan({ changes, unchanged, leftOver }: Plan, terminal: Terminal): void {
  for (const change of changes) terminal.print(formatChange(change, terminal.hasColor));
  const count = (kind: Change['kind']): number => changes.filter((change) => change.kind === kind).length;
  terminal.print(
    `${count('create')} new, ${count('update')} changed, ${count('delete')} to delete, ${unchanged} unchanged.`
  );
  if (leftOver.length > 0)
    terminal.print(
      `${leftOver.length} without a file, which stay without --prune: ${listed(leftOver.map(({ name }) => name))}.`
    );
}

/** @param hasColor whether the difference is in color */
export function formatChange(change: Change, hasColor: boolean): string {
  if (change.kind === 'create') return `+ ${change.local.definition.name} (${printable(change.local.file)})`;
  if (change.kind === 'delete') return `- ${printable(change.served.name)} (revision ${change.served.revision})`;
  const { local, served } = change;
  const { name } = local.definition;
  const rename = served.name === name ? '' : ` (renamed from ${printable(served.name)})`;
  const before = { name: `${served.name} (revision ${served.revision})`, text: served.text };
  return `~ ${name}${rename}\n${formatDiff(before, { name: local.file, text: local.text }, hasColor)}`;
}

const MAX_LISTED = 10;

export function listed(names: readonly string[]): string {
  const rest = names.length - MAX_LISTED;
  const shown = names.slice(0, MAX_LISTED).map(printable).join(', ');
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}
