/** Columns of a table as those of log lines. */
import type { DescribedColumn } from '#contract/queries/description';
import { printName } from '../builder/sql/sql-tokens';

const MESSAGE = 'event_message';
/** Columns for the line of a table without a message, best first. */
const BODY_NAMES = [MESSAGE, 'message', 'url', 'path'];

/** @returns the columns in SQL, of which one is the message */
export function lineColumns(columns: ReadonlyArray<Pick<DescribedColumn, 'name' | 'type'>>): string {
  const texts = columns.filter(({ type, name }) => type === 'STRING' && name !== 'id');
  const body = BODY_NAMES.map((wanted) => texts.find(({ name }) => name === wanted)).find(Boolean) ?? texts[0];
  return columns
    .map(({ name }) => (name === body?.name && name !== MESSAGE ? `${printName(name)} as ${MESSAGE}` : printName(name)))
    .join(', ');
}
