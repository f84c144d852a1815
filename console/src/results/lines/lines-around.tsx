/** The lines before and after a line, in the time of its table and without the filters of the query. */
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { contextSql } from '../../../../src/language/context-sql';
import { type Row, runQuery, type RunResult } from '../../api/run-query';
import { useApi } from '../../app/session';
import { useLoaded } from '../../app/use-loaded';
import { Failure } from '../../parts/failure';
import { Waiting } from '../../parts/waiting';
import { LogLines } from './log-lines';
import { ResultActionsProvider } from '../result-actions';
import { plainText, formatCount } from '../values/format-value';

export interface AroundPlace {
  readonly query: string;
  /** Without bounds of time. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly table: string;
}

interface LinesAroundProps {
  readonly place: AroundPlace;
  readonly row: Row;
  readonly onClose: () => void;
}

const FIRST = 20;
const MOST = 500;

export function LinesAround({ place, row, onClose }: LinesAroundProps): ReactNode {
  const [before, setBefore] = useState(FIRST);
  const [after, setAfter] = useState(FIRST);
  const older = useSide(place, row, false, before);
  const newer = useSide(place, row, true, after);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [row]);

  const own = useMemo<Row>(() => ({ ...row }), [row]);
  const rows = useMemo(
    () => [...[...(newer.value?.rows ?? [])].reverse(), own, ...(older.value?.rows ?? [])],
    [newer.value, older.value, own]
  );
  const columns = older.value?.columns ?? newer.value?.columns ?? [{ name: 'timestamp', type: 'TIMESTAMP' }];
  const problem = older.problem ?? newer.problem;
  const isLoading = older.isLoading || newer.isLoading;
  return (
    <section className="around" aria-label="Lines around">
      <div className="result-head">
        <h2 ref={heading} tabIndex={-1}>
          Lines around in {place.table}
        </h2>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      {problem && <Failure problem={problem} onRetry={older.problem ? older.again : newer.again} />}
      <More side="after" {...newer} asked={after} onMore={() => setAfter(nextCount(after))} />
      {isLoading && rows.length === 1 ? (
        <Waiting what="Loading the lines around" />
      ) : (
        <ResultActionsProvider value={{ columns }}>
          <LogLines columns={columns} rows={rows} label="Lines around the line" marked={own} />
        </ResultActionsProvider>
      )}
      <More side="before" {...older} asked={before} onMore={() => setBefore(nextCount(before))} />
    </section>
  );
}

function nextCount(count: number): number {
  return Math.min(MOST, count * 5);
}

interface MoreProps {
  readonly side: 'before' | 'after';
  readonly value: RunResult | null;
  readonly isLoading: boolean;
  readonly asked: number;
  readonly onMore: () => void;
}

function More({ side, value, isLoading, asked, onMore }: MoreProps): ReactNode {
  const found = value?.rows.length ?? 0;
  const hasMore = value !== null && (found >= asked || value.isCut) && asked < MOST;
  return (
    <p className="facts" role="status">
      {value !== null && (
        <span>
          {formatCount(found, 'line')} {side} it{!hasMore && found < asked ? '; there are no others' : ''}
        </span>
      )}
      {hasMore && (
        <button type="button" disabled={isLoading} onClick={onMore}>
          {isLoading ? 'Loading …' : `More lines ${side}`}
        </button>
      )}
    </p>
  );
}

function useSide({ query, parameters, table }: AroundPlace, row: Row, isAfter: boolean, limit: number) {
  const api = useApi();
  const id = row['id'];
  const text = contextSql({
    table,
    micros: plainText(row['timestamp'] ?? 0),
    id: typeof id === 'string' && id !== '' ? id : undefined,
    isAfter,
    limit,
  });
  return useLoaded(JSON.stringify([query, parameters, text]), (signal) =>
    runQuery(api, { query, parameters, adhoc: { language: 'sql', text } }, signal)
  );
}
