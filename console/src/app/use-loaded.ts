/** Loads a value while a component is shown. */
import { useCallback, useEffect, useState } from 'react';
import { Problem } from '../api/problem';

export interface Loaded<T> {
  /** The last value, also while it is loaded again and after that has failed; null: none yet. */
  readonly value: T | null;
  /** Why the last load failed; null: it did not, or it is tried again. */
  readonly problem: Problem | null;
  /** Whether the value is of before the last load that ended, which failed. */
  readonly isStale: boolean;
  readonly isLoading: boolean;
  /** A load has ended, with a value or a problem. */
  readonly hasEnded: boolean;
  readonly again: () => void;
}

/** The outcome of the load that is named. */
interface Outcome<T> {
  readonly load: string | null;
  readonly key: string;
  readonly value: T | null;
  readonly problem: Problem | null;
}

/**
 * Loads once, again when the key changes, and on request. A load that is no longer wanted is cancelled, and its outcome
 * ignored.
 * @param key names all that `load` depends on
 */
export function useLoaded<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [turn, setTurn] = useState(0);
  const [outcome, setOutcome] = useState<Outcome<T>>({ load: null, key, value: null, problem: null });
  const wanted = `${turn} ${key}`;

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    load(signal).then(
      (value) => {
        if (!signal.aborted) setOutcome({ load: wanted, key, value, problem: null });
      },
      (error: unknown) => {
        if (!signal.aborted)
          setOutcome((last) => ({
            load: wanted,
            key,
            value: last.key === key ? last.value : null,
            problem: toProblem(error),
          }));
      }
    );
    return () => controller.abort();
    // `load` is a new function with each drawing.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [wanted]);

  const again = useCallback(() => setTurn((n) => n + 1), []);
  const isLoading = outcome.load !== wanted;
  const hasEnded = outcome.load !== null;
  const { value, problem } = outcome;
  return { value, problem: isLoading ? null : problem, isStale: problem !== null, isLoading, hasEnded, again };
}

export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new Problem(0, { code: 'console_failed', message: `The console failed: ${message}` });
}
