import type { LogEndpointsQuery } from '../types';
import { SCHEMA_VERSION } from './defaults';

/**
 * Migrates a stored query to the current schema and fills in missing parts, so that the editor need not handle them.
 *
 * @returns the same object if nothing is missing: Grafana compares by identity
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

/** Mode of a handwritten query without one, derived from its text. */
function modeOf({ sql, lql }: LogEndpointsQuery): 'saved' | 'sql' | 'lql' {
  if (sql) return 'sql';
  return lql ? 'lql' : 'saved';
}
