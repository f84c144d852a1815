/** The caller closed the connection: what runs for it is stopped, and nobody is told. */
import type { Response } from 'express';

export class CallerGoneError extends Error {
  override readonly name = 'CallerGoneError';

  constructor() {
    super('the caller has closed the connection');
  }
}

/** Aborts with CallerGoneError when the connection closes before the answer is out. */
export function callerGoneSignal(res: Response): AbortSignal {
  const controller = new AbortController();
  if (res.destroyed) controller.abort(new CallerGoneError());
  res.once('close', () => {
    if (!res.writableFinished) controller.abort(new CallerGoneError());
  });
  return controller.signal;
}
