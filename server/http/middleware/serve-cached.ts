/** Fast path: answers a repeated request from the result cache without parsing it again. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { groupOf } from '../../admission/tenant-group';
import type { AppContext } from '../../app/context';
import { readBody } from '../bodies/read-body';
import { keepSmallBody, MAX_SMALL_BODY_BYTES } from '../bodies/small-body';
import { requestFacts } from '../request/request-facts';
import { serveCachedRequest } from '../routes/call-endpoint';
import type { HttpHandler } from './in-order';

/** Passes all other requests on to the checks and the routes. */
export function serveCached(ctx: AppContext): HttpHandler {
  const serve: HttpHandler = (req, res, next) => {
    const cached = ctx.requestCache.find(req);
    const entry = cached && ctx.queryCache.peek(cached.queryRequest, cached.policy);
    if (!entry || ctx.lifecycle.state !== 'serving' || !ctx.tokens.isStillValid(cached.principal)) return next();
    const facts = requestFacts(req);
    facts.route = cached.route;
    facts.tokenId = cached.principal.tokenId;
    ctx.admission.admit(cached.principal, res);
    const group = groupOf(cached.principal.tokenId, cached.queryRequest.tenant);
    ctx.unreadResponses.ensureRoom(group);
    return serveCachedRequest({ ctx, req, res, group }, cached, ctx.queryCache.recordHit(entry)).catch(next);
  };
  return (req, res, next) => {
    if (!ctx.requestCache.needsBody(req)) return serve(req, res, next);
    return readSmallBody(req, res, ctx.config.http.minBytesPerSecond)
      .then(() => serve(req, res, next))
      .catch(next);
  };
}

async function readSmallBody(req: IncomingMessage, res: ServerResponse, minBytesPerSecond: number): Promise<void> {
  const limits = { maxBytes: MAX_SMALL_BODY_BYTES, maxInflatedBytes: MAX_SMALL_BODY_BYTES, minBytesPerSecond };
  keepSmallBody(req, await readBody(req, res, limits));
}
