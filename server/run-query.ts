/** The one function that runs a query. What wraps it (a cache, single flight) takes and gives the same shape. */
import { ServiceError } from '#contract/errors';
import type { QueryRequest } from '#contract/query';
import type { QueryResult } from '#contract/result';
import type { EngineClient } from './engine/client';

/** Rejects with the signal's reason when the caller has gone. */
export type RunQuery = (request: QueryRequest, signal: AbortSignal) => Promise<QueryResult>;

/**
 * @throws ServiceError of the engine, and `redaction_unavailable`: rows that were to be redacted never leave unredacted.
 */
export function createRunQuery(engine: EngineClient): RunQuery {
  return async (request, signal) => {
    const result = await engine.call('run', request, { signal });
    if (request.redact && !result.redacted)
      throw new ServiceError(
        'redaction_unavailable',
        'Redaction was asked for, but this server cannot redact results.',
        {
          hint: 'leave the SVC-ENDPOINT-REDACT-PII header out to get the rows as they are',
        }
      );
    return result;
  };
}
