/** Forget the cached results of a saved query, of all its parameters and callers. */
import type { KeyedHandler } from '../router';
import { visibleEndpoint } from '../visible-endpoint';

export const purgeCache: KeyedHandler = async ({ ctx, res, principal, q }) => {
  const definition = visibleEndpoint(ctx.definitions, principal, q);
  await ctx.runs.purge(definition.id);
  res.status(204).end();
};
