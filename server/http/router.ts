/** Routes requests to handlers and enforces methods, tokens and scopes. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { aliasRoutes } from '#contract/routes/aliases';
import { ServiceError } from '#contract/errors';
import { type Route, ROUTE_METHODS, type RouteMethod } from '#contract/routes/route';
import { type RouteId, ROUTES } from '#contract/routes/routes';
import { groupOf } from '../admission/tenant-group';
import type { AppContext } from '../app/context';
import { ensureScope, hasScopeConflict, type Principal } from '../catalog/tokens/principal';
import { tenantOf } from '../catalog/tokens/tenant-of';
import { requirePrincipal } from './request/token/authenticate';
import { negotiateCoding } from './parsing/negotiation/negotiate-coding';
import { createPathFinder, type PathValues } from './parsing/paths/path-finder';
import { requestFacts } from './request/request-facts';
import { answerOtherMethod } from './response/other-method';

export interface Call {
  readonly ctx: AppContext;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** A call with a token that has the scope of the route. */
export interface KeyedCall extends Call {
  readonly principal: Principal;
  /** The tenant to which the call is confined; null: all tenants. */
  readonly tenant: string | null;
  /** Owner of the memory of the call; see `groupOf`. */
  readonly group: string;
  readonly path: PathValues;
}

export type OpenHandler = (call: Call) => Promise<void>;
export type KeyedHandler = (call: KeyedCall) => Promise<void>;

type OpenRouteId = Extract<(typeof ROUTES)[number], { scope: null }>['id'];
/** One handler per route. Handlers of routes without a scope get no principal. */
export type RouteHandlers = { readonly [I in OpenRouteId]: OpenHandler } & {
  readonly [I in Exclude<RouteId, OpenRouteId>]: KeyedHandler;
};

/** @param path of the request, without the query string */
export type RequestRouter = (req: IncomingMessage, res: ServerResponse, path: string) => Promise<void>;

/** Final step behind the common checks: finds the route, authenticates the caller, calls the handler. */
export function routeRequests(ctx: AppContext, handlers: RouteHandlers): RequestRouter {
  const findPath = createPathFinder(ctx.config.compatibility === 'on' ? [...ROUTES, ...aliasRoutes()] : ROUTES);
  const noteScopeConflict = createConflictLog(ctx.logger);
  return async (req, res, requestPath) => {
    if (requestPath === '*' && req.method === 'OPTIONS') {
      answerOtherMethod(req, res, METHODS_OF_SERVER);
      return;
    }
    const found = findPath(requestPath);
    if (!found) throw routeNotFound(requestPath, findPath);
    const { routes, values: path } = found;
    requestFacts(req).route = routes[0]!.path;
    if (routes[0]!.isUncacheable) res.setHeader('Cache-Control', 'no-store');
    const method = req.method === 'HEAD' ? 'GET' : req.method;
    const route = routes.find((candidate) => candidate.methods.includes(method as RouteMethod));
    if (!route) {
      answerOtherMethod(req, res, allowedMethods(routes));
      return;
    }
    if (ctx.lifecycle.state !== 'serving') res.setHeader('Connection', 'close');
    if (route.scope === null) {
      await handlers[route.id as OpenRouteId]({ ctx, req, res });
      return;
    }
    if (ctx.lifecycle.state === 'closing') throw new ServiceError('draining', 'The service is shutting down.');
    const principal = await requirePrincipal(ctx, req, res, { isCounted: route.isUncounted !== true });
    const tenant = tenantOf(principal, ctx.definitions);
    noteScopeConflict(principal);
    ensureScope(principal, route.scope);
    const group = groupOf(principal.tokenId, tenant);
    if (route.isUncounted) ctx.unreadResponses.ensureOwnRoom(group);
    else ctx.unreadResponses.ensureRoom(group);
    ctx.unreadResponses.watch(res, group);
    // Before the work: a refused answer would look like a failure of a change that is made.
    if (method !== 'GET') negotiateCoding(req);
    await handlers[route.id as Exclude<RouteId, OpenRouteId>]({ ctx, req, res, principal, tenant, group, path });
  };
}

function routeNotFound(path: string, findPath: ReturnType<typeof createPathFinder>): ServiceError {
  const tidy = path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  const isMeant = tidy !== path && findPath(tidy) !== undefined;
  return new ServiceError(
    'route_not_found',
    'There is no such route.',
    isMeant ? { hint: 'leave out double slashes, and the slash at the end of the path' } : {}
  );
}

/** Logs each token whose scope `endpoints:write` or `sources:write` is not granted, once. */
function createConflictLog(logger: AppContext['logger']): (principal: Principal) => void {
  const logged = new Set<string>();
  return ({ tokenId, policy }) => {
    if (!hasScopeConflict(policy) || logged.has(tokenId)) return;
    logged.add(tokenId);
    logger.warn(
      { token_id: tokenId },
      'The token has the scope endpoints:write or sources:write and limits that contradict it, so it is not granted.'
    );
  };
}

/** Methods for the target `*`, which asks what the server has at any path [RFC 9110 section 9.3.7]. */
const METHODS_OF_SERVER = ['GET', 'HEAD', ...ROUTE_METHODS.filter((method) => method !== 'GET'), 'OPTIONS'].join(', ');

function allowedMethods(routes: readonly Route[]): string {
  const methods = routes.flatMap((route) =>
    route.methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  );
  return [...methods, 'OPTIONS'].join(', ');
}
