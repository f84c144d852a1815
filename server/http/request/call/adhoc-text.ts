/** Reads the ad-hoc text of a call and checks that the call may run it. */
import { ServiceError } from '#contract/errors';
import { ensureSandbox } from '#contract/failures';
import type { AdhocText } from '#contract/queries/query';
import type { SavedQuery } from '#contract/queries/saved-query';
import { ensureScope, type Principal } from '../../../catalog/tokens/principal';
import { type NameValue, pickOnce } from '../../parsing/query-string';

export interface AdhocLimits {
  readonly maxSqlBytes: number;
}

/**
 * Reads whichever of `sql` and `lql` is not empty: a form that always sends both leaves the other one empty.
 *
 * @returns null when the call has neither parameter
 * @throws ServiceError `parameter_duplicate`, `parameter_conflict`, `scope_missing`, `sandbox_disabled`, `sql_empty`,
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

/** Checks the sandbox and the size; the compiler applies the tighter limit of LQL. */
export function checkAdhocText(adhoc: AdhocText, definition: SavedQuery, limits: AdhocLimits): AdhocText {
  ensureSandbox(definition);
  if (adhoc.text.trim() === '') throw new ServiceError('sql_empty', 'The query is empty.', { reason: 'query_empty' });
  if (Buffer.byteLength(adhoc.text) > limits.maxSqlBytes)
    throw new ServiceError('query_too_complex', `The query is longer than ${limits.maxSqlBytes} bytes.`, {
      reason: 'too_complex',
      max_bytes: limits.maxSqlBytes,
    });
  return adhoc;
}
