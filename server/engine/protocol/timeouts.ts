/** The two errors of a call that runs out of time. */
import { READ_LESS, ServiceError } from '#contract/errors';

export function queryTimeout(timeoutMs: number): ServiceError {
  return new ServiceError('query_timeout', `The run passed its deadline of ${timeoutMs} ms.`, {
    timeout_ms: timeoutMs,
    hint: READ_LESS,
  });
}

/** Error of a run whose deadline passed before it had its permit. */
export function queueTimeout(): ServiceError {
  return new ServiceError('overloaded', 'Too many queries are running; this one did not get its turn in time.', {
    retry_after_seconds: 1,
  });
}
