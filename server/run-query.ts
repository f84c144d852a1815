/** The one function that runs a query. What wraps it (a cache, single flight) takes and gives the same shape. */
import { ServiceError } from '#contract/errors';
import type { QueryRequest } from '#contract/query';
import type { QueryResult } from '#contract/result';
import type { EngineClient } from './engine/client';
import type { Slots } from './http/slots';

/** For whom a query runs. */
export interface RunCaller {
  /** Whose places are counted: the id of a token, or a name of our own for background work. */
  readonly owner: string;
  /** Nobody waits for the result: it runs only when no caller could. */
  readonly isBackground: boolean;
  /** For the log, when the run costs a process. */
  readonly traceId?: string;
  /** The run rejects with its reason when the caller has gone. */
  readonly signal: AbortSignal;
}

export type RunQuery = (request: QueryRequest, caller: RunCaller) => Promise<QueryResult>;

/**
 * Waits for a place, at most as long as the run itself may take, and asks the engine. The wait is part of `timings.queueMs`.
 * @throws ServiceError of the slots and of the engine, and `redaction_unavailable`: rows that were to be redacted never leave unredacted.
 */
export function createRunQuery(engine: EngineClient, slots: Slots): RunQuery {
  return async (request, { owner, isBackground, traceId, signal }) => {
    const lane = isBackground ? 'background' : request.adhoc ? 'adhoc' : 'saved';
    const askedAtMs = performance.now();
    const leave = await slots.enter({ owner, lane, waitMs: request.timeoutMs, signal });
    const waitedMs = performance.now() - askedAtMs;
    const result = await engine.call('run', request, { signal, traceId }).finally(leave);
    if (request.redact && !result.redacted)
      throw new ServiceError(
        'redaction_unavailable',
        'Redaction was asked for, but this server cannot redact results.',
        {
          hint: 'leave the SVC-ENDPOINT-REDACT-PII header out to get the rows as they are',
        }
      );
    return { ...result, timings: { ...result.timings, queueMs: result.timings.queueMs + waitedMs } };
  };
}
