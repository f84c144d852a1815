/**
 * Notifies several observers when a request ends, completed or aborted. One shared listener, because each listener
 * costs every request.
 */
import type { Request, RequestHandler, Response } from 'express';
import { type RequestFacts, requestFacts } from '../request/request-facts';

export interface Ended {
  readonly req: Request;
  readonly res: Response;
  readonly facts: RequestFacts;
  /** Time from the request headers to the end of the response. */
  readonly durationMs: number;
}

export type EndedListener = (ended: Ended) => void;

export function observeResponses(...listeners: readonly EndedListener[]): RequestHandler {
  return (req, res, next) => {
    res.once('close', () => {
      const facts = requestFacts(req);
      const ended = { req, res, facts, durationMs: performance.now() - facts.startedAtMs };
      for (const listener of listeners) listener(ended);
    });
    next();
  };
}
