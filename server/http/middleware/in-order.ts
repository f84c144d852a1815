/** Composes handlers into one: Express's own dispatch costs more than most of them do. */
import type { RequestHandler } from 'express';

/** Stops at the first handler that throws, rejects or passes on an error. */
export function inOrder(...handlers: readonly RequestHandler[]): RequestHandler {
  return (req, res, next) => {
    let at = 0;
    const step = (error?: unknown): void => {
      const handler = handlers[at];
      at += 1;
      if (error !== undefined || !handler) {
        next(error);
        return;
      }
      const running = handler(req, res, step);
      if (running instanceof Promise) running.catch(next);
    };
    step();
  };
}
