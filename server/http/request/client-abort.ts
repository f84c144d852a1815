/** Client abort: when the client closes the connection, its run is canceled and no response is sent. */
import type { ServerResponse } from 'node:http';

export class ClientAbortError extends Error {
  override readonly name = 'ClientAbortError';

  constructor() {
    super('the client has closed the connection');
  }
}

/** Aborts with `ClientAbortError` when the connection closes before the response is sent. */
export function clientAbortSignal(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (res.destroyed) controller.abort(new ClientAbortError());
  res.once('close', () => {
    if (!res.writableFinished) controller.abort(new ClientAbortError());
  });
  return controller.signal;
}
