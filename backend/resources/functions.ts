/** The functions of the SQL dialect, for completion: those of the service this plugin was built with. */
import type { FunctionsResource } from '#contract/plugin/resources';
import { SQL_FUNCTIONS } from '#contract/plugin/sql-functions';

export function listFunctions(): FunctionsResource {
  return { functions: SQL_FUNCTIONS };
}
