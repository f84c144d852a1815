/** Rows as a table: only those in view are drawn. A row opens to all of its values. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, type KeyboardEvent, memo, type ReactNode, useMemo, useRef, useState } from 'react';
import type { ResultField } from '#contract/result';
import type { Row, Value } from '../api/run-query';
import { filterRows, type Order, orderRows } from './order-rows';
import { isNested, isNumberType, sayCount, sayUtc, sayValue } from './say-value';
import { ColumnChoice } from './column-choice';
import { RowCopy } from './row-copy';
import { ValueActions } from './value-actions';
import { ValueTree } from './value-tree';

interface ResultTableProps {
  readonly columns: readonly ResultField[];
  readonly rows: readonly Row[];
}

const ROW_PIXELS = 30;
/** Longer texts are cut in cells; the opened row has them whole. */
const CELL_CHARACTERS = 300;

export function ResultTable({ columns, rows }: ResultTableProps): ReactNode {
  const [order, setOrder] = useState<Order | null>(null);
  const [text, setText] = useState('');
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState<Row | null>(null);
  const shownRows = useMemo(
    () => orderRows(filterRows(rows, columns, text), columns, order),
    [rows, columns, text, order]
  );
  const shownColumns = columns.filter(({ name }) => !hidden.has(name));

  return (
    <div className="result-table">
      <div className="tools">
        <label>
          Filter <input type="search" value={text} onChange={(event) => setText(event.target.value)} />
        </label>
        {text !== '' && (
          <span role="status">
            {sayCount(shownRows.length, 'row')} of {rows.length.toLocaleString()}
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
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items[items.length - 1]?.end ?? 0);

  const move = (event: KeyboardEvent, index: number): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    virtualizer.scrollToIndex(index + step);
    requestAnimationFrame(() =>
      place.current
        ?.querySelector<HTMLElement>(`tr[data-index="${index + step}"] button`)
        ?.focus({ preventScroll: true })
    );
  };

  return (
    <div className="grid" ref={place} tabIndex={0} role="region" aria-label="Rows">
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
            const isOpen = row === opened;
            return (
              <Fragment key={index}>
                <tr
                  data-index={index}
                  aria-rowindex={index + 2}
                  ref={isOpen ? null : virtualizer.measureElement}
                  onClick={() => onOpen(isOpen ? null : row)}
                >
                  <td className="opener">
                    <button
                      type="button"
                      aria-expanded={isOpen}
                      aria-label={`Row ${index + 1}`}
                      onKeyDown={(event) => move(event, index)}
                    >
                      {isOpen ? '▾' : '▸'}
                    </button>
                  </td>
                  {columns.map(({ name, type }) => (
                    <Cell key={name} name={name} value={row[name] ?? null} type={type} />
                  ))}
                </tr>
                {isOpen && (
                  <tr className="opened">
                    <td colSpan={columns.length + 1}>
                      <RowCopy row={row} />
                      <ValueTree value={row} />
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
          {after > 0 && <tr aria-hidden style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  );
}

function sortOf(order: Order | null, column: string): 'ascending' | 'descending' | 'none' {
  if (order?.column !== column) return 'none';
  return order.isDescending ? 'descending' : 'ascending';
}

interface CellProps {
  readonly name: string;
  readonly value: Value;
  readonly type: string;
}

/** What can be done with its value appears under the pointer; the opened row offers the same to the keyboard. */
const Cell = memo(function Cell({ name, value, type }: CellProps): ReactNode {
  const [isUnderPointer, setUnderPointer] = useState(false);
  const isTime = type === 'TIMESTAMP';
  return (
    <td
      className={cellClass(value, type)}
      title={isTime && value !== null ? sayUtc(value, type) : undefined}
      onMouseEnter={() => setUnderPointer(true)}
      onMouseLeave={() => setUnderPointer(false)}
    >
      <div className="cell">{value === null ? 'NULL' : cellText(value, type)}</div>
      {isUnderPointer && (
        <span className="over" onClick={(event) => event.stopPropagation()}>
          <ValueActions path={[name]} value={value} />
        </span>
      )}
    </td>
  );
});

function cellClass(value: Value, type: string): string {
  if (value === null) return 'none';
  if (isNumberType(type)) return 'number';
  return isNested(value) ? 'nested' : type === 'TIMESTAMP' ? 'time' : '';
}

function cellText(value: Value, type: string): string {
  const text = sayValue(value, type);
  return text.length > CELL_CHARACTERS ? `${text.slice(0, CELL_CHARACTERS)}…` : text;
}
