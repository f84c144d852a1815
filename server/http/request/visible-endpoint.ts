/** Finds saved queries for a token: those it cannot access are reported as unknown. */
import { ServiceError } from '#contract/errors';
import { meantHint } from '#contract/nearest-name';
import type { SavedQuery } from '#contract/queries/saved-query';
import type { AppContext } from '../../app/context';
import { type Principal, seesEndpoint } from '../../catalog/tokens/principal';
import { ensureNoNul } from '../parsing/decode-text';

/** What newer clients of the hosted service call, and the saved query to call in its place. */
const OF_CLICKHOUSE_SQL: ReadonlyMap<string, string> = new Map([
  ['logs', 'logs.all'],
  ['logs.all.otel', 'logs.all'],
]);

type Known = Pick<AppContext, 'definitions' | 'savedQueries'>;

/**
 * @throws ServiceError `endpoint_not_found`, identical for unknown and inaccessible queries; with the new name of one
 * that was renamed, and with the name to call for one of another service
 */
export function visibleEndpoint(
  { definitions, savedQueries }: Known,
  principal: Principal,
  idOrName: string
): SavedQuery {
  const definition = definitions.find(ensureNoNul(idOrName, 'The path'));
  if (definition && seesEndpoint(principal, definition)) return definition;
  // Also for one that exists, so that the time of a refusal does not say so.
  const former = savedQueries.renamedTo(idOrName);
  const renamed = definition ? undefined : former;
  throw new ServiceError(
    'endpoint_not_found',
    'There is no saved query with this id or name.',
    renamed && seesEndpoint(principal, renamed)
      ? { renamed_to: renamed.name, hint: `it is now "${renamed.name}"` }
      : (dialectHint(definitions, principal, idOrName) ?? nearHint(definitions, principal, idOrName))
  );
}

/** The name alone decides, whether or not a saved query of this name exists. */
function dialectHint(
  definitions: Known['definitions'],
  principal: Principal,
  name: string
): { readonly hint: string } | null {
  const other = definitions.find(OF_CLICKHOUSE_SQL.get(name) ?? '');
  if (!other || !seesEndpoint(principal, other)) return null;
  return {
    hint: `call "${other.name}" with GoogleSQL; ClickHouse SQL, which other services take here, is not run`,
  };
}

/** Saved queries whose names are compared, which takes microseconds for each. */
const MAX_COMPARED = 300;

/** The nearest name among those that the token sees, so that it says nothing of others. */
function nearHint(
  definitions: Known['definitions'],
  { policy: { endpoints } }: Principal,
  name: string
): { readonly hint?: string } {
  const visible = endpoints === '*' ? definitions.all : endpoints.map((entry) => definitions.find(entry));
  return meantHint(
    name,
    visible.slice(0, MAX_COMPARED).flatMap((definition) => definition?.name ?? [])
  );
}

export function visibleEndpoints({ definitions }: Known, principal: Principal): readonly SavedQuery[] {
  return definitions.all.filter((definition) => seesEndpoint(principal, definition));
}
