/** The table of the commands `history`. */
import type { Revision } from '../remote/answers';
import { formatTable } from './format-table';
import { printableLine } from './terminal';

export function formatRevisions(revisions: readonly Revision[]): string {
  const rows = revisions.map(({ revision, time, by, action, changed, message }) => [
    String(revision),
    time,
    printableLine(by),
    printableLine([action, changed.join(', ')].filter((part) => part !== '').join(': ')),
    printableLine(message ?? ''),
  ]);
  return formatTable(['REVISION', 'TIME', 'BY', 'CHANGE', 'NOTE'], rows);
}
