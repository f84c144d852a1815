/** Runs of the page: one at a time, the last one is shown. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { runQuery, type RunRequest, type RunResult } from '../../../api/run-query';
import type { Problem } from '../../../api/problem';
import { serviceClock } from '../../../api/service-clock';
import { pageAddress } from '../../../app/page-address';
import { useApi } from '../../../app/session';
import { toProblem } from '../../../app/use-loaded';

export interface DoneRun {
  readonly request: RunRequest;
  readonly result: RunResult;
  /** Milliseconds since 1970, by the clock of the service. */
  readonly startedAt: number;
}

export type Outcome =
  | { readonly kind: 'none' | 'running' }
  | ({ readonly kind: 'done' } & DoneRun)
  | { readonly kind: 'failed'; readonly problem: Problem };

export interface Runs {
  readonly outcome: Outcome;
  readonly run: (request: RunRequest) => void;
  readonly cancel: () => void;
}

export function useRuns(): Runs {
  const api = useApi();
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'none' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const run = useCallback(
    (request: RunRequest): void => {
      // Who copies the address of a run gets what runs.
      pageAddress.writeNow();
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      const startedAt = serviceClock.now();
      setOutcome({ kind: 'running' });
      runQuery(api, request, controller.signal).then(
        (result) => {
          if (!controller.signal.aborted) setOutcome({ kind: 'done', request, result, startedAt });
        },
        (error: unknown) => {
          if (!controller.signal.aborted) setOutcome({ kind: 'failed', problem: toProblem(error) });
        }
      );
    },
    [api]
  );
  const cancel = useCallback((): void => {
    running.current?.abort();
    setOutcome({ kind: 'none' });
  }, []);
  return { outcome, run, cancel };
}
