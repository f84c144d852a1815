/** Events as lines, newest as the query gave them. A line opens to its record. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useCallback, useRef, useState } from 'react';
import type { ResultField } from '#contract/queries/result';
import { levelOfEvent } from './log-level';
import type { Row } from '../../api/run-query';
import { moveByArrows } from '../move-by-arrows';
import { PrintedNote } from '../printed-note';
import { useResultActions } from '../result-actions';
import { RowCopy } from '../row-copy';
import { usePrintedRows } from '../use-printed-rows';
import { millisOf, plainText, formatTime, formatUtc } from '../values/format-value';
import { ValueText } from '../values/value-text';
import { ValueTree } from '../values/value-tree';

interface LogLinesProps {
  readonly columns: readonly ResultField[];
  readonly rows: readonly Row[];
  /** Name of the region. */
  readonly label?: string;
  /** The line that others are shown around. */
  readonly marked?: Row | null;
  /** Whether a reader has scrolled away from the first line. */
  readonly onAway?: (isAway: boolean) => void;
}

const LINE_PIXELS = 24;
/** The record has longer messages whole. */
const MESSAGE_CHARACTERS = 2_000;

/** Keys of rows: a row keeps its state when others come before it. */
const KEYS = new WeakMap<Row, number>();
let lastKey = 0;

export function keyOfRow(row: Row): number {
  let key = KEYS.get(row);
  if (key === undefined) KEYS.set(row, (key = ++lastKey));
  return key;
}

export function LogLines({ columns, rows, label = 'Log lines', marked = null, onAway }: LogLinesProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<ReadonlySet<Row>>(new Set());
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => LINE_PIXELS,
    getItemKey: (index) => keyOfRow(rows[index]!),
    overscan: 10,
    rangeExtractor: usePrintedRows(),
  });

  const toggle = useCallback((row: Row): void => {
    setOpened((before) => {
      const next = new Set(before);
      if (!next.delete(row)) next.add(row);
      return next;
    });
  }, []);
  return (
    <div
      className="log-lines"
      ref={place}
      tabIndex={0}
      role="region"
      aria-label={label}
      onKeyDown={(event) => moveByArrows(event, rows.length, (index) => virtualizer.scrollToIndex(index))}
      onScroll={onAway && ((event) => onAway(event.currentTarget.scrollTop > LINE_PIXELS))}
    >
      <ol style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start, key }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const level = levelOfEvent(row);
          return (
            <li
              key={key}
              data-index={index}
              ref={virtualizer.measureElement}
              className={`${level ?? 'no-level'}${row === marked ? ' marked' : ''}`}
              title={level ?? undefined}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Line row={row} columns={columns} isOpen={opened.has(row)} onToggle={toggle} />
            </li>
          );
        })}
      </ol>
      <PrintedNote count={rows.length} />
    </div>
  );
}

interface LineProps {
  readonly row: Row;
  readonly columns: readonly ResultField[];
  readonly isOpen: boolean;
  readonly onToggle: (row: Row) => void;
}

const Line = memo(function Line({ row, columns, isOpen, onToggle }: LineProps): ReactNode {
  const timeType = columns.find(({ name }) => name === 'timestamp')?.type ?? 'TIMESTAMP';
  const { onAround } = useResultActions();
  const millis = millisOf(row['timestamp'] ?? null, timeType);
  const message = plainText(row['event_message'] ?? '');
  const level = levelOfEvent(row);
  return (
    <>
      <button type="button" aria-expanded={isOpen} onClick={() => onToggle(row)}>
        {level !== null && <span className="unseen">{level}</span>}
        {millis !== null && <time title={formatUtc(row['timestamp'] ?? null, timeType)}>{formatTime(millis)}</time>}
        <span className="text">
          <ValueText text={shorten(message)} />
        </span>
      </button>
      {isOpen && (
        <div className="opened">
          <div className="tools">
            {onAround && (
              <button type="button" onClick={() => onAround(row)}>
                Lines around
              </button>
            )}
            <RowCopy row={row} />
          </div>
          <ValueTree value={row} columns={columns} />
        </div>
      )}
    </>
  );
});

function shorten(message: string): string {
  if (message === '') return '(no message)';
  return message.length <= MESSAGE_CHARACTERS ? message : `${message.slice(0, MESSAGE_CHARACTERS)}…`;
}

/** Whether rows are events that can be shown as lines. */
export function areEvents(columns: readonly ResultField[]): boolean {
  const names = new Set(columns.map(({ name }) => name));
  return names.has('event_message') && names.has('timestamp');
}
