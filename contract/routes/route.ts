/** One route of the service. */
import type { Scope } from '../tokens/token';

export const ROUTE_METHODS = ['GET', 'POST', 'QUERY', 'PUT', 'PATCH', 'DELETE'] as const;
export type RouteMethod = (typeof ROUTE_METHODS)[number];

/**
 * Variable segments of paths: id or name of a saved query, name of a source, number of a revision, id of a token, name
 * of an index, form of events.
 */
export const PATH_VARIABLES = ['q', 's', 'n', 'id', 'index', 'format'] as const;
export type PathVariable = (typeof PATH_VARIABLES)[number];

export interface Route {
  readonly id: string;
  readonly methods: readonly RouteMethod[];
  /** Path of the route, with `PATH_VARIABLES` in braces. */
  readonly path: string;
  /** Scope that the token needs, or any one of several; null: no token needed. */
  readonly scope: Scope | readonly Scope[] | null;
  /** Requests do not count against the rate of their token: responses already limit the speed of ingestion. */
  readonly isUncounted?: true;
  /** Every answer has `Cache-Control: no-store`, since some of the path contain a secret. */
  readonly isUncacheable?: true;
  readonly purpose: string;
}
