import type { EndpointSummary } from '#contract/plugin/resources';
import { endpointKey } from '../api/find-endpoint';
import type { LogEndpointsQuery } from '../types';

/** Why a query cannot be run yet, in words for the editor; undefined when it can. Unknown endpoints are the service's to refuse. */
export function whyNotRunnable(query: LogEndpointsQuery, endpoint?: EndpointSummary): string | undefined {
  if (endpointKey(query) === undefined) return 'Choose an endpoint.';
  if (query.mode === 'sql' && !query.sql?.trim()) return 'Write the SQL to run.';
  if (query.mode === 'lql' && !query.lql?.trim() && !query.filters?.length) return 'Write the LQL to run.';
  const missing = endpoint ? missingParameters(query, endpoint) : [];
  if (missing.length === 0) return undefined;
  return missing.length === 1
    ? `Fill in ${missing[0]}.`
    : `Fill in ${missing.slice(0, -1).join(', ')} and ${missing.at(-1)}.`;
}

/** Required ones that neither the query nor a default fills. */
export function missingParameters(
  { params = {} }: LogEndpointsQuery,
  { parameters }: Pick<EndpointSummary, 'parameters'>
): readonly string[] {
  return parameters
    .filter((each) => each.required && !each.default && !params[each.name]?.trim())
    .map(({ name }) => name);
}
