import type { EndpointSummary } from '#contract/plugin/resources';
import type { LogEndpointsQuery } from '../types';

/** Finds the endpoint by id if the query has one, so that renamed endpoints are found; by name otherwise. */
export function findEndpoint(
  endpoints: readonly EndpointSummary[],
  query: Pick<LogEndpointsQuery, 'endpoint'>
): EndpointSummary | undefined {
  const { id, name } = query.endpoint ?? {};
  return endpoints.find((each) => each.id === id) ?? endpoints.find((each) => !id && each.name === name);
}

/** Identifier of the endpoint in paths, also shown to users if nothing better is known. */
export function endpointKey(query: Pick<LogEndpointsQuery, 'endpoint'>): string | undefined {
  return query.endpoint?.id || query.endpoint?.name || undefined;
}
