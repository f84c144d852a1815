/**
 * Notifies several observers when a request ends, completed or aborted. One shared listener, because each listener
 * costs every request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type RequestFacts, requestFacts } from '../request/request-facts';
import type { HttpHandler } from './in-order';

export interface Ended {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly facts: RequestFacts;
  /** Time from the request headers to the end of the response. */
  readonly durationMs: number;
}

export type EndedListener = (ended: Ended) => void;

export function observeResponses(...listeners: readonly EndedListener[]): HttpHandler {
  return (req, res, next) => {
    res.once('close', () => {
      const facts = requestFacts(req);
      const ended = { req, res, facts, durationMs: performance.now() - facts.startedAtMs };
      for (const listener of listeners) listener(ended);
    });
    next();
  };
}
