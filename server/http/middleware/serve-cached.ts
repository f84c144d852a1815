/** Fast path: answers a repeated request from the result cache without parsing it again. */
import type { AppContext } from '../../app/context';
import { requestFacts } from '../request/request-facts';
import { serveCachedRequest } from '../routes/call-endpoint';
import type { HttpHandler } from './in-order';

/** Passes all other requests on to the checks and the routes. */
export function serveCached(ctx: AppContext): HttpHandler {
  return (req, res, next) => {
    const cached = ctx.requestCache.find(req);
    const entry = cached && ctx.runs.peek(cached.question, cached.policy);
    if (!entry || ctx.lifecycle.state !== 'serving' || !ctx.tokens.isStillValid(cached.principal)) return next();
    const facts = requestFacts(req);
    facts.route = cached.route;
    facts.tokenId = cached.principal.tokenId;
    ctx.admission.admit(cached.principal, res);
    ctx.unreadResponses.ensureRoom(cached.principal.tokenId);
    return serveCachedRequest({ ctx, req, res }, cached, ctx.runs.recordHit(entry)).catch(next);
  };
}
