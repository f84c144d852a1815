/** Columns with their types; those with fields unfold. */
import type { ReactNode } from 'react';
import type { DescribedColumn } from '#contract/queries/description';
import { formatCount } from '../results/values/format-value';

interface ColumnTreeProps {
  readonly columns: readonly DescribedColumn[];
  /** Path of the columns. */
  readonly path?: readonly string[];
  /** What else is known of a column or a field. */
  readonly noteOf?: (path: readonly string[]) => ReactNode;
  /** Whether the fields of these columns are shown at first. */
  readonly isOpen?: boolean;
}

export function ColumnTree({ columns, path = [], noteOf, isOpen = false }: ColumnTreeProps): ReactNode {
  return (
    <ul className="columns">
      {columns.map(({ name, type, fields }) => (
        <li key={name}>
          {fields === undefined ? (
            <>
              <code>{name}</code> <span className="soft">{type}</span> {noteOf?.([...path, name])}
            </>
          ) : (
            <details open={isOpen}>
              <summary>
                <code>{name}</code> <span className="soft">{formatCount(fields.length, 'field')}</span>{' '}
                {noteOf?.([...path, name])}
              </summary>
              <ColumnTree columns={fields} path={[...path, name]} {...(noteOf && { noteOf })} />
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}
