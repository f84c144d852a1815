/** Declared and observed columns and fields of a source. */
import type { ReactNode } from 'react';
import type { ListedSource } from '../../../api/shapes';
import type { DescribedSource } from '../../../api/sources';
import { ColumnTree } from '../../../parts/column-tree';
import { formatCount } from '../../../results/values/format-value';

interface SourceColumnsProps {
  readonly source: DescribedSource;
  readonly listed: ListedSource | undefined;
}

export function SourceColumns({ source, listed }: SourceColumnsProps): ReactNode {
  const columns = listed?.columns ?? [];
  const misfits = new Map(listed?.misfits.fields.map(({ field, values }) => [field, values]));
  if (columns.length === 0) return null;
  const noteOf = (path: readonly string[]): ReactNode => {
    const [column = '', ...field] = path;
    const below = field.join('.');
    const isDeclared = below === '' ? Object.hasOwn(source.columns, column) : Object.hasOwn(source.fields, below);
    const values = misfits.get(below) ?? 0;
    return (
      <>
        {isDeclared && <span className="mark">declared</span>}{' '}
        {below !== '' && values > 0 && (
          <span className="warning" title="They are in the JSON of the event; the field reads as NULL">
            {formatCount(values, 'value')} of another type
          </span>
        )}
      </>
    );
  };
  return (
    <>
      <h2>Columns and fields</h2>
      <p className="soft">Fields that are not declared were brought by events.</p>
      <ColumnTree columns={columns} noteOf={noteOf} isOpen />
    </>
  );
}
