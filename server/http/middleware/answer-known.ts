/** The short way of a call that was understood before and whose result is held: a caller who polls is answered without a second reading. */
import type { RequestHandler } from 'express';
import type { AppContext } from '../../context';
import { requestFacts } from '../request-facts';
import { answerKnownCall } from '../routes/call-endpoint';

/** Whatever is not as it was goes on to the checks and the routes. */
export function answerKnown(ctx: AppContext): RequestHandler {
  return (req, res, next) => {
    const known = ctx.knownCalls.find(req);
    const held = known && ctx.runs.find(known.question, known.policy);
    if (!held || ctx.lifecycle.state !== 'serving' || !ctx.tokens.stillHolds(known.principal)) return next();
    const facts = requestFacts(req);
    facts.route = known.route;
    facts.tokenId = known.principal.tokenId;
    ctx.admission.admit(known.principal, res);
    ctx.unsentAnswers.ensureRoom(known.principal.tokenId);
    return answerKnownCall({ ctx, req, res }, known, ctx.runs.give(held)).catch(next);
  };
}
