/** Forget the cached results of a saved query, of all its parameters and callers. */
import type { KeyedHandler } from '../router';
import { visibleEndpoint } from '../visible-endpoint';

export const purgeCache: KeyedHandler = async ({ ctx, req, res, principal }) => {
  const definition = visibleEndpoint(ctx.definitions, principal, String(req.params['q']));
  ctx.runs.purge(definition.id);
  res.status(204).end();
};
