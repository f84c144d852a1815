/** A row of a table, which opens to all of its values. */
import { memo, type ReactNode, useState } from 'react';
import type { ResultField } from '#contract/queries/result';
import type { Row, Value } from '../../api/run-query';
import { RowCopy } from '../row-copy';
import { isNested, isNumberType, formatUtc, formatValue } from '../values/format-value';
import { ValueActions } from '../values/value-actions';
import { ValueText } from '../values/value-text';
import { ValueTree } from '../values/value-tree';

/** Longer texts are cut in cells; the opened row has them whole. */
const CELL_CHARACTERS = 300;

interface GridRowProps {
  readonly index: number;
  readonly row: Row;
  readonly columns: readonly ResultField[];
  readonly isOpen: boolean;
  readonly onOpen: (row: Row | null) => void;
}

export const GridRow = memo(function GridRow({ index, row, columns, isOpen, onOpen }: GridRowProps): ReactNode {
  return (
    <>
      <tr data-index={index} aria-rowindex={index + 2} onClick={() => onOpen(isOpen ? null : row)}>
        <td className="opener">
          <button type="button" aria-expanded={isOpen} aria-label={`Row ${index + 1}`}>
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
            <ValueTree value={row} columns={columns} />
          </td>
        </tr>
      )}
    </>
  );
});

interface CellProps {
  readonly name: string;
  readonly value: Value;
  readonly type: string;
}

/**
 * What can be done with its value appears under the pointer; the opened row offers the same to the keyboard. A narrow
 * cell has a small button for it, so that the pointer reaches the cells beside it.
 */
const Cell = memo(function Cell({ name, value, type }: CellProps): ReactNode {
  const [place, setPlace] = useState<ActionsPlace | null>(null);
  const isTime = type === 'TIMESTAMP';
  return (
    <td
      className={cellClass(value, type)}
      title={isTime && value !== null ? formatUtc(value, type) : undefined}
      onMouseEnter={({ currentTarget }) => setPlace(placeIn(currentTarget))}
      onMouseLeave={() => setPlace(null)}
    >
      <div className="cell">{value === null ? 'NULL' : <ValueText text={cellText(value, type)} />}</div>
      {place !== null && (
        <span className={`over ${place}`} onClick={(event) => event.stopPropagation()}>
          {place === 'narrow' ? (
            <button
              type="button"
              title={`What can be done with ${name}`}
              aria-label={`What can be done with ${name}`}
              onClick={({ currentTarget }) => setPlace(placeBeside(currentTarget))}
            >
              ⋯
            </button>
          ) : (
            <ValueActions path={[name]} value={value} />
          )}
        </span>
      )}
    </td>
  );
});

/** `before` and `after` are outside of the cell. */
type ActionsPlace = 'within' | 'narrow' | 'before' | 'after';

/** The actions, and some of the value beside them. */
const ROOM_PIXELS = 300;

function placeIn(cell: HTMLElement): ActionsPlace {
  return cell.clientWidth < ROOM_PIXELS ? 'narrow' : 'within';
}

function placeBeside(button: HTMLElement): ActionsPlace {
  return button.getBoundingClientRect().left < window.innerWidth / 2 ? 'after' : 'before';
}

function cellClass(value: Value, type: string): string {
  if (value === null) return 'none';
  if (isNumberType(type)) return 'number';
  return isNested(value) ? 'nested' : type === 'TIMESTAMP' ? 'time' : '';
}

function cellText(value: Value, type: string): string {
  const text = formatValue(value, type);
  return text.length > CELL_CHARACTERS ? `${text.slice(0, CELL_CHARACTERS)}…` : text;
}
