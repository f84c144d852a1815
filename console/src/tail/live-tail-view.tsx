/** Lines as they arrive. */
import { type ReactNode, useRef, useState } from 'react';
import type { Row, RunRequest } from '../api/run-query';
import { Failure } from '../parts/failure';
import { LogLines } from '../results/lines/log-lines';
import { formatCount } from '../results/values/format-value';
import type { TailSource } from './tail-request';
import { type RunningTail, useLiveTail } from './use-live-tail';

interface LiveTailViewProps {
  /** Without a time range. */
  readonly request: RunRequest;
  readonly source: TailSource;
  readonly maxRows: number;
  readonly onStop: () => void;
}

export function LiveTailView({ request, source, maxRows, onStop }: LiveTailViewProps): ReactNode {
  const [isPaused, setPaused] = useState(false);
  const tail = useLiveTail(request, source, maxRows, isPaused);
  const { state, problem, hasEnded } = tail;
  const [frozen, setFrozen] = useState<readonly Row[] | null>(null);
  const region = useRef<HTMLElement>(null);
  // A reader who has scrolled away keeps the lines in place.
  const onAway = (isAway: boolean): void => setFrozen((before) => (isAway ? (before ?? state.rows) : null));
  const waiting = frozen === null ? 0 : newerThan(state.rows, frozen);
  const clear = (): void => {
    // Else the lines that a reader had scrolled to would come back with the next ones.
    setFrozen(null);
    tail.clear();
  };
  const toNewest = (): void => {
    setFrozen(null);
    region.current?.querySelector('.log-lines')?.scrollTo(0, 0);
  };

  return (
    <section className="result tail" aria-label="Live tail" ref={region}>
      <div className="result-head">
        <p className="facts">
          {/* The counts change every two seconds: read aloud, they would not end. */}
          <span role="status" className={`mark ${isPaused || hasEnded ? 'warn' : 'good'}`}>
            {stateOf(tail, isPaused)}
          </span>
          <strong>{formatCount(state.count, 'line')}</strong>
          {!isPaused && !hasEnded && <span>{tail.linesPerSecond.toFixed(1)} lines/s</span>}
          {state.hasDropped && <span>the newest {state.rows.length.toLocaleString()} are kept</span>}
          {state.hasGap && <span className="mark warn">lines are missing: they came too fast</span>}
        </p>
        <div className="tools">
          {waiting > 0 && (
            <button type="button" className="main" onClick={toNewest}>
              {formatCount(waiting, 'newer line')}
            </button>
          )}
          {!hasEnded && (
            <button type="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
              {isPaused ? 'Continue' : 'Pause'}
            </button>
          )}
          <button type="button" onClick={clear}>
            Clear
          </button>
          <button type="button" onClick={onStop}>
            Stop
          </button>
        </div>
      </div>
      {problem && <Failure problem={problem} />}
      {problem && !hasEnded && <p className="soft">The tail tries again, and goes on where it was.</p>}
      {state.rows.length === 0 ? (
        <p className="empty">No lines yet. They appear here as they arrive.</p>
      ) : (
        <LogLines columns={state.columns} rows={frozen ?? state.rows} onAway={onAway} />
      )}
    </section>
  );
}

function stateOf({ hasEnded, isHidden, problem }: RunningTail, isPaused: boolean): string {
  if (hasEnded) return 'ended';
  if (isPaused || isHidden) return 'paused';
  return problem ? 'trying again' : 'live';
}

function newerThan(rows: readonly Row[], shown: readonly Row[]): number {
  const known = new Set(shown);
  return rows.filter((row) => !known.has(row)).length;
}
