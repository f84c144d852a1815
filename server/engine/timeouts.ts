/** The two ways in which a call runs out of time. */
import { ServiceError } from '#contract/errors';

export function queryTimeout(timeoutMs: number): ServiceError {
  return new ServiceError('query_timeout', `The run passed its deadline of ${timeoutMs} ms.`, {
    timeout_ms: timeoutMs,
  });
}

/** The deadline came before the run did. */
export function queueTimeout(): ServiceError {
  return new ServiceError('overloaded', 'Too many queries are running; this one did not get its turn in time.', {
    retry_after_seconds: 1,
  });
}
