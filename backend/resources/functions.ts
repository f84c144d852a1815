/** Functions of the SQL dialect for completion, as of the service version with which this plugin was built. */
import type { FunctionsResource } from '#contract/plugin/resources';
import { SQL_FUNCTIONS } from '#contract/plugin/sql-functions';

export function listFunctions(): FunctionsResource {
  return { functions: SQL_FUNCTIONS };
}
