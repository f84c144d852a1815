import type { LogEndpointsQuery } from '../types';
import { SCHEMA_VERSION } from './defaults';

/**
 * Brings a stored query to the shape of today: whatever is missing is filled in, so that the editor has no half-made query to mind.
 *
 * @returns the same object when nothing is missing: hosts compare by identity
 */
export function migrateQuery(stored: LogEndpointsQuery): LogEndpointsQuery {
  const { schemaVersion, endpoint, mode, params, format } = stored;
  if (schemaVersion === SCHEMA_VERSION && endpoint && mode && params && format) return stored;
  return {
    ...stored,
    schemaVersion: SCHEMA_VERSION,
    endpoint: stored.endpoint ?? {},
    mode: stored.mode ?? modeOf(stored),
    params: stored.params ?? {},
    format: stored.format ?? 'auto',
  };
}

/** Of a query written by hand, without a mode: the text tells. */
function modeOf({ sql, lql }: LogEndpointsQuery): 'saved' | 'sql' | 'lql' {
  if (sql) return 'sql';
  return lql ? 'lql' : 'saved';
}
