import type { EndpointSummary } from '#contract/plugin/resources';
import type { LogEndpointsQuery } from '../types';

/** By id when the query has one, so that a renamed endpoint is found; by name otherwise. */
export function findEndpoint(
  endpoints: readonly EndpointSummary[],
  query: Pick<LogEndpointsQuery, 'endpoint'>
): EndpointSummary | undefined {
  const { id, name } = query.endpoint ?? {};
  return endpoints.find((each) => each.id === id) ?? endpoints.find((each) => id === undefined && each.name === name);
}

/** What the endpoint is called by, in paths and towards people who have nothing better. */
export function endpointKey(query: Pick<LogEndpointsQuery, 'endpoint'>): string | undefined {
  return query.endpoint?.id || query.endpoint?.name || undefined;
}
