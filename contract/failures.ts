/** Errors that several parts raise, each with one sentence. */
import { type ErrorDetails, ServiceError } from './errors';
import { meantHint } from './nearest-name';
import type { SavedQuery } from './queries/saved-query';

/**
 * Checked where a request is read, again in the engine process, which trusts no other process, and by the compiler.
 * @throws ServiceError `sandbox_disabled`
 */
export function ensureSandbox({ sandbox }: Pick<SavedQuery, 'sandbox'>): void {
  if (sandbox) return;
  throw new ServiceError('sandbox_disabled', 'This saved query takes no ad-hoc queries.', {
    reason: 'sandbox_disabled',
    hint: 'call it without sql and lql, or set "sandbox: true" in its definition',
  });
}

/** Hint of an error about a source, for a caller that may not see sources: it names none. */
export const HIDDEN_SOURCES_HINT = 'GET /api/sources lists the sources, for a token with endpoints:read';

/**
 * @param known names and aliases that the caller may see
 * @param details their hint gives way to one that names the nearest source
 */
export function sourceNotFound(name: string, known: Iterable<string>, details: ErrorDetails = {}): ServiceError {
  return new ServiceError('source_not_found', 'There is no source with this name.', {
    ...details,
    ...meantHint(name, known),
  });
}
