/** Rows as a table: only those in view are drawn. A row opens to all of its values. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useDeferredValue, useMemo, useRef, useState } from 'react';
import type { ResultField } from '#contract/queries/result';
import type { Row } from '../../api/run-query';
import { moveByArrows } from '../move-by-arrows';
import { PrintedNote } from '../printed-note';
import { usePrintedRows } from '../use-printed-rows';
import { filterRows, type Order, orderRows } from './order-rows';
import { GridRow } from './grid-row';
import { isNumberType, formatCount } from '../values/format-value';
import { ColumnChoice } from './column-choice';

interface ResultTableProps {
  readonly columns: readonly ResultField[];
  readonly rows: readonly Row[];
}

/** As the style sheet has it: rows that are not open have one height, so that none is measured. */
const ROW_PIXELS = 30;

export function ResultTable({ columns, rows }: ResultTableProps): ReactNode {
  const [order, setOrder] = useState<Order | null>(null);
  const [text, setText] = useState('');
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState<Row | null>(null);
  // Typing goes on while many rows are searched.
  const sought = useDeferredValue(text);
  const foundRows = useMemo(() => filterRows(rows, columns, sought), [rows, columns, sought]);
  const shownRows = useMemo(() => orderRows(foundRows, columns, order), [foundRows, columns, order]);
  const shownColumns = useMemo(() => columns.filter(({ name }) => !hidden.has(name)), [columns, hidden]);

  return (
    <div className="result-table">
      <div className="tools">
        <label>
          Filter <input type="search" value={text} onChange={(event) => setText(event.target.value)} />
        </label>
        {sought !== '' && (
          <span role="status">
            {formatCount(shownRows.length, 'row')} of {rows.length.toLocaleString()}
          </span>
        )}
        <ColumnChoice columns={columns} hidden={hidden} onChange={setHidden} />
      </div>
      <Grid
        columns={shownColumns}
        rows={shownRows}
        order={order}
        onOrder={(column) => setOrder(nextOrder(order, column))}
        opened={opened}
        onOpen={setOpened}
      />
    </div>
  );
}

/** Ascending, descending, then as the query gave them. */
function nextOrder(order: Order | null, column: string): Order | null {
  if (order?.column !== column) return { column, isDescending: false };
  return order.isDescending ? null : { column, isDescending: true };
}

interface GridProps {
  readonly columns: readonly ResultField[];
  readonly rows: readonly Row[];
  readonly order: Order | null;
  readonly onOrder: (column: string) => void;
  readonly opened: Row | null;
  readonly onOpen: (row: Row | null) => void;
}

function Grid({ columns, rows, order, onOrder, opened, onOpen }: GridProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => ROW_PIXELS,
    overscan: 8,
    rangeExtractor: usePrintedRows(),
  });
  const items = virtualizer.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items[items.length - 1]?.end ?? 0);

  return (
    <div
      className="grid"
      ref={place}
      tabIndex={0}
      role="region"
      aria-label="Rows"
      onKeyDown={(event) => moveByArrows(event, rows.length, (index) => virtualizer.scrollToIndex(index))}
    >
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            <td />
            {columns.map(({ name, type }) => (
              <th key={name} scope="col" aria-sort={sortOf(order, name)} className={isNumberType(type) ? 'number' : ''}>
                <button type="button" onClick={() => onOrder(name)} title={`${type}: sort the rows on this page`}>
                  {name} <span className="type">{type.length > 20 ? `${type.slice(0, 18)}…` : type}</span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr aria-hidden style={{ height: before }} />}
          {items.map(({ index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <GridRow key={index} index={index} row={row} columns={columns} isOpen={row === opened} onOpen={onOpen} />
            );
          })}
          {after > 0 && <tr aria-hidden style={{ height: after }} />}
        </tbody>
      </table>
      <PrintedNote count={rows.length} />
    </div>
  );
}

function sortOf(order: Order | null, column: string): 'ascending' | 'descending' | 'none' {
  if (order?.column !== column) return 'none';
  return order.isDescending ? 'descending' : 'ascending';
}
