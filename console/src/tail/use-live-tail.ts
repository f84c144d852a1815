/** Runs a live tail while it is shown and the tab is visible. */
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Problem } from '../api/problem';
import type { RunRequest } from '../api/run-query';
import { useSession } from '../app/session';
import { toProblem } from '../app/use-loaded';
import { follow } from './follow';
import { NO_LINES, type TailState } from './live-tail';
import type { TailSource } from './tail-request';

const POLL_MS = 2_000;
const RETRY_MS = 5_000;
/** Rates are those of the last seconds. */
const RATE_MS = 10_000;

export interface RunningTail {
  readonly state: TailState;
  readonly linesPerSecond: number;
  /** Why the last answer did not come; the tail tries again, unless it has ended. */
  readonly problem: Problem | null;
  readonly hasEnded: boolean;
  readonly isHidden: boolean;
  readonly clear: () => void;
}

export function useLiveTail(request: RunRequest, source: TailSource, maxRows: number, isPaused: boolean): RunningTail {
  const { api } = useSession();
  const arrivals = useRef<ReadonlyArray<{ readonly at: number; readonly count: number }>>([]);
  const shown = useRef(0);
  const key = JSON.stringify([request, source]);
  // The request is an object of its own with each drawing.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const tail = useMemo(() => follow(api, request, source, maxRows), [api, key, maxRows]);
  const [state, setState] = useState<TailState>(NO_LINES);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [linesPerSecond, setRate] = useState(0);
  const isHidden = useIsHidden();
  const hasEnded = problem !== null && isFinal(problem);
  const isRunning = !isPaused && !isHidden && !hasEnded;

  useEffect(() => {
    if (!isRunning) return undefined;
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    arrivals.current = [];
    const poll = async (): Promise<void> => {
      let failure: Problem | null = null;
      try {
        const next = await tail.poll(controller.signal);
        if (controller.signal.aborted) return;
        const now = Date.now();
        const came = next.count - shown.current;
        shown.current = next.count;
        arrivals.current = [...arrivals.current, { at: now, count: came }].filter(({ at }) => at > now - RATE_MS);
        setRate(rateOf(arrivals.current));
        setState(next);
      } catch (error) {
        if (controller.signal.aborted) return;
        failure = toProblem(error);
      }
      setProblem(failure);
      if (failure === null || !isFinal(failure)) {
        timer = setTimeout(() => void poll(), failure === null ? POLL_MS : RETRY_MS);
      }
    };
    void poll();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [tail, isRunning]);

  return { state, linesPerSecond, problem, hasEnded, isHidden, clear: () => setState(tail.clear()) };
}

/** The first answer has what came before, and is no rate. */
function rateOf(arrivals: ReadonlyArray<{ readonly at: number; readonly count: number }>): number {
  const [first] = arrivals;
  const last = arrivals[arrivals.length - 1];
  if (first === undefined || last === undefined || last.at === first.at) return 0;
  const count = arrivals.slice(1).reduce((sum, each) => sum + each.count, 0);
  return (count * 1000) / (last.at - first.at);
}

/** The text or the token is refused: asking again would not help. */
function isFinal({ status }: Problem): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

function useIsHidden(): boolean {
  const [isHidden, setHidden] = useState(document.visibilityState === 'hidden');
  useEffect(() => {
    const update = (): void => setHidden(document.visibilityState === 'hidden');
    document.addEventListener('visibilitychange', update);
    return () => document.removeEventListener('visibilitychange', update);
  }, []);
  return isHidden;
}
