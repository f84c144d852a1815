/** Entries of a list that the service gives page by page: the first page, and older ones on request. */
import { useState } from 'react';
import type { Problem } from '../api/problem';
import type { Page } from '../api/shapes';
import { toProblem } from './use-loaded';

export interface Pages<T> {
  readonly all: readonly T[];
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly problem: Problem | null;
  readonly more: () => Promise<void>;
}

/** @param load the page at a cursor */
export function usePages<T>(first: Page<T>, load: (cursor: string) => Promise<Page<T>>): Pages<T> {
  const [older, setOlder] = useState<readonly T[]>([]);
  const [cursor, setCursor] = useState(first.next_cursor);
  const [isLoading, setLoading] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  const more = async (): Promise<void> => {
    if (cursor === null) return;
    setLoading(true);
    setProblem(null);
    try {
      const page = await load(cursor);
      setOlder((known) => [...known, ...page.result]);
      setCursor(page.next_cursor);
    } catch (error) {
      setProblem(toProblem(error));
    } finally {
      setLoading(false);
    }
  };

  return { all: [...first.result, ...older], hasMore: cursor !== null, isLoading, problem, more };
}
