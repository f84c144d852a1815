/** The ad-hoc text of a call, and whether it may be run at all. */
import { ServiceError } from '#contract/errors';
import type { AdhocText } from '#contract/query';
import type { SavedQuery } from '#contract/saved-query';
import { ensureScope, type Principal } from '../tokens/principal';
import { type NameValue, pickOnce } from './query-string';

export interface AdhocLimits {
  readonly maxSqlBytes: number;
}

/**
 * @returns null when the call carries none.
 * @throws ServiceError `parameter_duplicate`, `parameter_conflict`, `scope_missing`, `query_invalid`, `sandbox_disabled`, `sql_empty`,
 * `query_too_complex`
 */
export function readAdhocText(
  entries: readonly NameValue[],
  definition: SavedQuery,
  principal: Principal,
  limits: AdhocLimits
): AdhocText | null {
  const given = pickOnce(entries, ['sql', 'lql']);
  if (given.size === 0) return null;
  ensureScope(principal, 'adhoc');
  if (given.size > 1)
    throw new ServiceError('parameter_conflict', 'A call carries either "sql" or "lql", not both.', {
      parameter: 'lql',
    });
  if (given.has('lql'))
    throw new ServiceError('query_invalid', 'LQL is not available in this version of the service; send "sql".', {
      reason: 'lql_not_supported',
    });
  return checkSqlText(given.get('sql')!, definition, limits);
}

export function checkSqlText(text: string, definition: SavedQuery, limits: AdhocLimits): AdhocText {
  if (!definition.sandbox)
    throw new ServiceError('sandbox_disabled', 'This saved query has no sandbox: ad-hoc queries are switched off.');
  if (text.trim() === '') throw new ServiceError('sql_empty', 'The query is empty.', { reason: 'query_empty' });
  if (Buffer.byteLength(text) > limits.maxSqlBytes)
    throw new ServiceError('query_too_complex', `The query is longer than ${limits.maxSqlBytes} bytes.`, {
      reason: 'too_complex',
      max_bytes: limits.maxSqlBytes,
    });
  return { language: 'sql', text };
}
