/** The only function that runs a query in the engine. The cache wraps it. */
import type { QueryResult } from '#contract/queries/result';
import type { QueryKeyInput } from '../cache/cache-key';
import type { Run, RunQuery } from '../cache/run';
import { instantOf } from '../cache/instant';
import type { Clock } from '../common/clock';
import type { EngineClient } from '../engine/client/engine-client';
import type { Lane } from './permits';
import type { Semaphore } from './semaphore';
import { groupOf } from './tenant-group';
import type { UnreadResponses } from './unread-responses';

export interface AdmittedRuns {
  readonly engine: Pick<EngineClient, 'call'>;
  readonly permits: Semaphore;
  readonly clock: Clock;
  readonly unread: Pick<UnreadResponses, 'ensureRoom'>;
}

/**
 * Waits for a permit, at most as long as the run itself may take, then calls the engine. The wait is part of
 * `timings.queueMs`.
 * @throws ServiceError of the semaphore, of the unread responses and of the engine. An unredacted result of a request
 * with redaction is an error.
 */
export function createRunQuery({ engine, permits, clock, unread }: AdmittedRuns): RunQuery {
  return async (queryRequest, { owner, isBackground, traceId, signal, onStart }) => {
    const lane = isBackground ? 'background' : laneOf(queryRequest);
    const startedAtMs = clock.monotonicMs();
    const tenant = isBackground ? null : queryRequest.tenant;
    const release = await permits.acquire({ owner, tenant, lane, waitMs: queryRequest.timeoutMs, signal });
    const waitedMs = clock.monotonicMs() - startedAtMs;
    const run = async (): Promise<Run> => {
      // Since this call was admitted, others of its owner may have left their results unread.
      if (!isBackground) unread.ensureRoom(groupOf(owner, tenant));
      onStart?.();
      const executedAt = instantOf(clock);
      const request = { ...queryRequest, nowMicros: clock.nowMicros() };
      return { executedAt, result: await engine.call('run', request, { signal, traceId, owner }) };
    };
    const { executedAt, result } = await run().finally(release);
    ensureRedacted(queryRequest, result);
    const timings = { ...result.timings, queueMs: result.timings.queueMs + waitedMs };
    return { result: { ...result, timings }, executedAt };
  };
}

export function laneOf({ adhoc }: Pick<QueryKeyInput, 'adhoc'>): Lane {
  return adhoc ? 'adhoc' : 'saved';
}

function ensureRedacted(queryRequest: QueryKeyInput, result: QueryResult): void {
  if (queryRequest.redact && !result.redacted)
    throw new Error('the engine gave rows that were to be redacted and are not');
}
