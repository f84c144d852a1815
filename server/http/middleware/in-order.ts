/** Composes handlers into one: Express's own dispatch costs more than most of them do. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Handler that needs nothing of Express, so that it can run before Express does. */
export type HttpHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  next: (error?: unknown) => void
) => void | Promise<void>;

type Handler<Req, Res> = (req: Req, res: Res, next: (error?: unknown) => void) => unknown;

/** Stops at the first handler that throws, rejects or passes on an error. */
export function inOrder<Req, Res>(
  ...handlers: readonly Handler<Req, Res>[]
): (req: Req, res: Res, next: (error?: unknown) => void) => void {
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
