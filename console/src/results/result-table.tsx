/** Rows as a table: only those in view are drawn. A row opens to all of its values. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import type { ResultField } from '#contract/result';
import type { Row, Value } from '../api/run-query';
import { filterRows, type Order, orderRows } from './order-rows';
import { isNested, isNumberType, sayCount, sayUtc, sayValue } from './say-value';
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
                    <Cell key={name} value={row[name] ?? null} type={type} />
                  ))}
                </tr>
                {isOpen && (
                  <tr className="opened">
                    <td colSpan={columns.length + 1}>
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

function Cell({ value, type }: { readonly value: Value; readonly type: string }): ReactNode {
  if (value === null) return <td className="none">NULL</td>;
  const text = sayValue(value, type);
  const isTime = type === 'TIMESTAMP';
  return (
    <td
      className={isNumberType(type) ? 'number' : isNested(value) ? 'nested' : isTime ? 'time' : ''}
      title={isTime ? sayUtc(value, type) : undefined}
    >
      {text.length > CELL_CHARACTERS ? `${text.slice(0, CELL_CHARACTERS)}…` : text}
    </td>
  );
}

interface ColumnChoiceProps {
  readonly columns: readonly ResultField[];
  readonly hidden: ReadonlySet<string>;
  readonly onChange: (hidden: ReadonlySet<string>) => void;
}

function ColumnChoice({ columns, hidden, onChange }: ColumnChoiceProps): ReactNode {
  const toggle = (name: string): void => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    onChange(next);
  };
  return (
    <details className="menu">
      <summary>Columns{hidden.size > 0 ? ` (${columns.length - hidden.size} of ${columns.length})` : ''}</summary>
      <ul>
        {columns.map(({ name }) => (
          <li key={name}>
            <label>
              <input type="checkbox" checked={!hidden.has(name)} onChange={() => toggle(name)} /> {name}
            </label>
          </li>
        ))}
      </ul>
    </details>
  );
}
