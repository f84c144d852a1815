/** Replaces or removes some definitions; the others stay. */
import type { CallHandler } from '../../engine';

export const amend: CallHandler<'amend'> = (engine, { request }) => {
  engine.definitions.amend(request.changed, request.removed);
  return { value: {} };
};
