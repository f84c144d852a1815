/** The one function that runs a query in the engine. The cache wraps it. */
import type { QueryResult } from '#contract/result';
import type { QueryKeyInput } from '../cache/cache-key';
import type { RunQuery } from '../cache/query-cache';
import { instantOf } from '../cache/instant';
import type { Clock } from '../clock';
import type { EngineClient } from '../engine/client';
import type { Semaphore } from './semaphore';

/**
 * Waits for a place, at most as long as the run itself may take, and asks the engine. The wait is part of `timings.queueMs`.
 * @throws ServiceError of the slots and of the engine. Rows that were to be redacted never leave unredacted.
 */
export function createRunQuery(engine: EngineClient, slots: Semaphore, clock: Clock): RunQuery {
  return async (question, { owner, isBackground, traceId, signal, onStart }) => {
    const lane = isBackground ? 'background' : question.adhoc ? 'adhoc' : 'saved';
    const askedAtMs = clock.monotonicMs();
    const leave = await slots.acquire({ owner, lane, waitMs: question.timeoutMs, signal });
    const waitedMs = clock.monotonicMs() - askedAtMs;
    onStart?.();
    const executedAt = instantOf(clock);
    const request = { ...question, nowMicros: clock.nowMicros() };
    const result = await engine.call('run', request, { signal, traceId, owner }).finally(leave);
    ensureRedacted(question, result);
    const timings = { ...result.timings, queueMs: result.timings.queueMs + waitedMs };
    return { result: { ...result, timings }, executedAt };
  };
}

function ensureRedacted(question: QueryKeyInput, result: QueryResult): void {
  if (question.redact && !result.redacted) throw new Error('the engine gave rows that were to be redacted and are not');
}
