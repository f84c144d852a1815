/**
 * Paths of older services of this kind. A request by an alias is the same request by the path of its route;
 * `docs/http-api.md` is tested against this table.
 */
import type { Route } from './route';
import { type RouteId, ROUTES } from './routes';

/** Variable segment of aliases: the parameter `project` of a call, unless the request gives it, too. */
export const REFERENCE = 'ref';

export interface Alias {
  /** With the variables of the path of its route, and `REFERENCE`. */
  readonly path: string;
  readonly route: RouteId;
  /** Errors have `message` beside `error`: the clients of this path show it. */
  readonly hasTopLevelMessage?: true;
  /** Which callers know the path. */
  readonly purpose: string;
}

export const ALIASES = [
  {
    path: '/v1/projects/{ref}/analytics/endpoints/{q}',
    route: 'call',
    hasTopLevelMessage: true,
    purpose: 'Scripts, agents and clients of the hosted service’s management API.',
  },
  {
    path: '/platform/projects/{ref}/analytics/endpoints/{q}',
    route: 'call',
    hasTopLevelMessage: true,
    purpose: 'Dashboards of the hosted service.',
  },
  {
    path: '/analytics/v1/api/endpoints/query/{q}',
    route: 'call',
    purpose: 'Scripts of local and self-hosted stacks, by the path of their gateway.',
  },
  {
    path: '/endpoints/query/{q}',
    route: 'call',
    purpose: 'Callers of the older service by its shorter path.',
  },
  {
    path: '/api/endpoints/query/name/{q}',
    route: 'call',
    purpose: 'Callers of the older service by name.',
  },
  {
    path: '/logs',
    route: 'ingest',
    purpose: 'Senders of the older service by its first path.',
  },
  {
    path: '/logs/{format}',
    route: 'ingestAs',
    purpose: 'Log drains and webhooks of the older service by its first path.',
  },
  {
    path: '/api/events',
    route: 'ingest',
    purpose: 'Senders of events of the older service.',
  },
  {
    path: '/api/events/{format}',
    route: 'ingestAs',
    purpose: 'Log drains and webhooks of the older service.',
  },
  {
    path: '/health',
    route: 'ready',
    purpose: 'Probes of the older service.',
  },
] as const satisfies readonly Alias[];

/** The routes of all aliases, as in `ROUTES`. */
export function aliasRoutes(): readonly Route[] {
  return ALIASES.flatMap(({ path, route }) =>
    ROUTES.filter(({ id }) => id === route).map((known) => ({ ...known, path }))
  );
}
