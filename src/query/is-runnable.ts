import type { EndpointSummary } from '#contract/plugin/resources';
import { endpointKey } from '../api/find-endpoint';
import type { LogEndpointsQuery } from '../types';

export interface RunnableContext {
  /** Undefined while unknown; the service then reports missing parameters. */
  readonly endpoint?: EndpointSummary;
  /** Default for an empty parameter `project`. */
  readonly defaultProject?: string;
}

/** Reason why a query cannot run yet, for the editor; undefined if it can. */
export function whyNotRunnable(query: LogEndpointsQuery, context: RunnableContext = {}): string | undefined {
  if (endpointKey(query) === undefined) return 'Choose an endpoint.';
  const missing = missingParameters(query, context);
  if (missing.length > 0) return `Fill in ${listed(missing)}.`;
  if (query.mode === 'sql' && !query.sql?.trim()) return 'Write the SQL to run.';
  if (query.mode === 'lql' && !query.lql?.trim()) return 'Write the LQL to run.';
  return undefined;
}

/** Required parameters without a value or default. */
export function missingParameters(
  { params = {} }: LogEndpointsQuery,
  { endpoint, defaultProject }: RunnableContext
): readonly string[] {
  return (endpoint?.parameters ?? [])
    .filter((each) => each.required && !each.default && !params[each.name]?.trim())
    .map(({ name }) => name)
    .filter((name) => !(name === 'project' && defaultProject));
}

function listed(names: readonly string[]): string {
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}
