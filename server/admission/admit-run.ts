/** The only function that runs a query in the engine. The cache wraps it. */
import type { QueryResult } from '#contract/queries/result';
import type { QueryKeyInput } from '../cache/cache-key';
import type { RunQuery } from '../cache/run';
import { instantOf } from '../cache/instant';
import type { Clock } from '../common/clock';
import type { EngineClient } from '../engine/client/engine-client';
import type { Lane } from './permits';
import type { Semaphore } from './semaphore';

/**
 * Waits for a permit, at most as long as the run itself may take, then calls the engine. The wait is part of
 * `timings.queueMs`.
 * @throws ServiceError of the semaphore and of the engine. An unredacted result of a request with redaction is an
 * error.
 */
export function createRunQuery(engine: EngineClient, slots: Semaphore, clock: Clock): RunQuery {
  return async (question, { owner, isBackground, traceId, signal, onStart }) => {
    const lane = isBackground ? 'background' : laneOf(question);
    const startedAtMs = clock.monotonicMs();
    const release = await slots.acquire({ owner, lane, waitMs: question.timeoutMs, signal });
    const waitedMs = clock.monotonicMs() - startedAtMs;
    onStart?.();
    const executedAt = instantOf(clock);
    const request = { ...question, nowMicros: clock.nowMicros() };
    const result = await engine.call('run', request, { signal, traceId, owner }).finally(release);
    ensureRedacted(question, result);
    const timings = { ...result.timings, queueMs: result.timings.queueMs + waitedMs };
    return { result: { ...result, timings }, executedAt };
  };
}

export function laneOf({ adhoc }: Pick<QueryKeyInput, 'adhoc'>): Lane {
  return adhoc ? 'adhoc' : 'saved';
}

function ensureRedacted(question: QueryKeyInput, result: QueryResult): void {
  if (question.redact && !result.redacted) throw new Error('the engine gave rows that were to be redacted and are not');
}
