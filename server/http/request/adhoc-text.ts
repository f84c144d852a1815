/** The ad-hoc text of a call, and whether it may be run at all. */
import { ServiceError } from '#contract/errors';
import type { AdhocText } from '#contract/query';
import type { SavedQuery } from '#contract/saved-query';
import { ensureScope, type Principal } from '../../tokens/principal';
import { type NameValue, pickOnce } from '../parsing/query-string';

export interface AdhocLimits {
  readonly maxSqlBytes: number;
}

/**
 * The one of `sql` and `lql` that holds something: a form that always sends both leaves the other empty.
 *
 * @returns null when the call carries none.
 * @throws ServiceError `parameter_duplicate`, `parameter_conflict`, `scope_missing`, `sandbox_disabled`, `sql_empty`, `query_too_complex`
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
  const texts = LANGUAGES.map((language): AdhocText => ({ language, text: given.get(language) ?? '' }));
  const [first, second] = texts.filter(({ text }) => text.trim() !== '');
  if (second !== undefined)
    throw new ServiceError('parameter_conflict', 'A call carries either "sql" or "lql", not both.', {
      reason: 'adhoc_conflict',
      parameter: 'lql',
    });
  return checkAdhocText(first ?? { language: 'sql', text: '' }, definition, limits);
}

const LANGUAGES: readonly AdhocText['language'][] = ['sql', 'lql'];

/** The compiler sets the tighter limit of LQL itself. */
export function checkAdhocText(adhoc: AdhocText, definition: SavedQuery, limits: AdhocLimits): AdhocText {
  if (!definition.sandbox)
    throw new ServiceError('sandbox_disabled', 'This saved query has no sandbox: ad-hoc queries are switched off.');
  if (adhoc.text.trim() === '') throw new ServiceError('sql_empty', 'The query is empty.', { reason: 'query_empty' });
  if (Buffer.byteLength(adhoc.text) > limits.maxSqlBytes)
    throw new ServiceError('query_too_complex', `The query is longer than ${limits.maxSqlBytes} bytes.`, {
      reason: 'too_complex',
      max_bytes: limits.maxSqlBytes,
    });
  return adhoc;
}
