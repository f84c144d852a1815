/** Paths of fields in LQL. */
import type { DescribedColumn } from '#contract/queries/description';

const OWN_COLUMNS: ReadonlyArray<Pick<DescribedColumn, 'name'>> = ['id', 'timestamp', 'event_message', 'project'].map(
  (name) => ({ name })
);

/**
 * Path of a log label in LQL: `request.headers.user-agent` is `m.request.headers."user-agent"`.
 *
 * @param columns of the table
 */
export function lqlField(label: string, columns: ReadonlyArray<Pick<DescribedColumn, 'name'>> = OWN_COLUMNS): string {
  if (columns.some(({ name }) => name === label)) return label;
  const path = label.split('.').filter((part) => !/^\d+$/.test(part));
  return ['m', ...path.map((part) => (/^[A-Za-z_]\w*$/.test(part) ? part : JSON.stringify(part)))].join('.');
}
