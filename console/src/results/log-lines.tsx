/** Events as lines, newest as the query gave them. A line opens to its record. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef, useState } from 'react';
import type { ResultField } from '#contract/result';
import { levelOfEvent } from './log-level';
import type { Row } from '../api/run-query';
import { millisOf, plainText, sayTime, sayUtc } from './say-value';
import { ValueTree } from './value-tree';

interface LogLinesProps {
  readonly columns: readonly ResultField[];
  readonly rows: readonly Row[];
}

const LINE_PIXELS = 24;

export function LogLines({ columns, rows }: LogLinesProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => LINE_PIXELS,
    overscan: 20,
  });
  const timeType = columns.find(({ name }) => name === 'timestamp')?.type ?? 'TIMESTAMP';

  const toggle = (index: number): void => {
    const next = new Set(opened);
    if (!next.delete(index)) next.add(index);
    setOpened(next);
  };

  return (
    <div className="log-lines" ref={place} tabIndex={0} role="region" aria-label="Log lines">
      <ol style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const millis = millisOf(row['timestamp'] ?? null, timeType);
          const message = plainText(row['event_message'] ?? '');
          const isOpen = opened.has(index);
          return (
            <li
              key={index}
              data-index={index}
              ref={virtualizer.measureElement}
              className={levelOfEvent(row) ?? 'no-level'}
              style={{ transform: `translateY(${start}px)` }}
            >
              <button type="button" aria-expanded={isOpen} onClick={() => toggle(index)}>
                {millis !== null && <time title={sayUtc(row['timestamp'] ?? null, timeType)}>{sayTime(millis)}</time>}
                <span className="text">{message === '' ? '(no message)' : message}</span>
              </button>
              {isOpen && <ValueTree value={row} />}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** Whether rows are events that can be shown as lines. */
export function areEvents(columns: readonly ResultField[]): boolean {
  const names = new Set(columns.map(({ name }) => name));
  return names.has('event_message') && names.has('timestamp');
}
