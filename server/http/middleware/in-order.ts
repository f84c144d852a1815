/** Several handlers as one: the router's own way from one to the next costs more than what most of them do. */
import type { RequestHandler } from 'express';

/** A handler that throws or hands on an error ends the row. */
export function inOrder(...handlers: readonly RequestHandler[]): RequestHandler {
  return (req, res, next) => {
    let at = 0;
    const step = (error?: unknown): void => {
      const handler = handlers[at];
      at += 1;
      if (error !== undefined || !handler) next(error);
      else void handler(req, res, step);
    };
    step();
  };
}
