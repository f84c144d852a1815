/** Client abort: when the client closes the connection, its run is canceled and no response is sent. */
import type { Response } from 'express';

export class ClientAbortError extends Error {
  override readonly name = 'ClientAbortError';

  constructor() {
    super('the client has closed the connection');
  }
}

/** Aborts with `ClientAbortError` when the connection closes before the response is sent. */
export function clientAbortSignal(res: Response): AbortSignal {
  const controller = new AbortController();
  if (res.destroyed) controller.abort(new ClientAbortError());
  res.once('close', () => {
    if (!res.writableFinished) controller.abort(new ClientAbortError());
  });
  return controller.signal;
}
