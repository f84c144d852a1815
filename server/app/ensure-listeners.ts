/**
 * A change of the sources must leave what the syslog listeners name: their messages would be lost, and the next start
 * would be refused.
 */
import { ServiceError } from '#contract/errors';
import type { Source } from '#contract/events/source';
import { DefinitionsError } from '../catalog/definitions/definition-problem';
import type { ApiSource, Sources } from '../catalog/definitions/sources';
import { loadListeners } from '../ingest/syslog/settings/load-listeners';

/**
 * @param file of the listeners; null: there are none
 * @param next sources of the API after the change
 * @throws ServiceError `source_in_use`
 */
export function ensureListeners(
  file: string | null,
  { all, ofFiles }: Pick<Sources, 'all' | 'ofFiles'>,
  next: readonly ApiSource[]
): void {
  if (file === null) return;
  const reason = problemOf(file, [...ofFiles, ...next]);
  // The file may have been changed since the start: what was wrong before does not refuse the change.
  if (reason === null || problemOf(file, all) !== null) return;
  throw new ServiceError('source_in_use', `A syslog listener could not be started again: ${reason}.`, {
    reason: 'syslog',
    hint: 'change the listener in the file that LQE_SYSLOG_FILE names first, and restart the server',
  });
}

/** @returns the first problem, without the name of the file; null: the listeners can be started */
function problemOf(file: string, sources: readonly Source[]): string | null {
  try {
    loadListeners(file, sources);
    return null;
  } catch (error) {
    if (!(error instanceof DefinitionsError)) throw error;
    return error.problems[0]?.reason ?? error.message;
  }
}
