/**
 * A table of things that are listed. On a narrow page each row is a block of lines, each with the head of its column.
 */
import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly head: string;
  readonly show: (row: Row) => ReactNode;
  /** Shown while the pointer rests on the cell. */
  readonly hint?: (row: Row) => string;
  readonly isNumber?: boolean;
  /** Buttons: their column has no head that is seen. */
  readonly isOfActions?: boolean;
}

interface ListTableProps<Row> {
  /** Name of the region. */
  readonly label: string;
  /** The first names the row. */
  readonly columns: ReadonlyArray<Column<Row>>;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Classes of the region and of the table. */
  readonly className?: string;
  readonly tableClass?: string;
}

export function ListTable<Row>({
  label,
  columns,
  rows,
  keyOf,
  className = '',
  tableClass = '',
}: ListTableProps<Row>): ReactNode {
  return (
    <div className={`scroll ${className}`} tabIndex={0} role="region" aria-label={label}>
      <table className={`list ${tableClass}`}>
        <thead>
          <tr>
            {columns.map(({ head, isNumber, isOfActions }) =>
              isOfActions ? (
                <td key={head}>
                  <span className="unseen">{head}</span>
                </td>
              ) : (
                <th key={head} scope="col" className={classOf(isNumber)}>
                  {head}
                </th>
              )
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ head, show, hint, isNumber, isOfActions }) => (
                <td
                  key={head}
                  className={classOf(isNumber)}
                  title={hint?.(row)}
                  data-head={isOfActions ? undefined : head}
                >
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const classOf = (isNumber = false): string | undefined => (isNumber ? 'number' : undefined);
