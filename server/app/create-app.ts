/** Creates the app, which does not listen yet: Express behind the cache, so that a cached result costs no part of it. */
import type { RequestListener } from 'node:http';
import express from 'express';
import type { AppContext } from './context';
import { errorHandler } from '../http/response/error-handler';
import { allowOrigins } from '../http/middleware/allow-origins';
import { serveCached } from '../http/middleware/serve-cached';
import { checkRequest } from '../http/middleware/check-request';
import { inOrder } from '../http/middleware/in-order';
import { identifyRequest } from '../http/middleware/identify-request';
import { logRequests } from '../http/middleware/log-requests';
import { measureRequests } from '../http/middleware/measure-requests';
import { observeResponses } from '../http/middleware/observe-responses';
import { routeRequests } from '../http/router';
import { ROUTE_HANDLERS } from '../http/routes/route-handlers';

export function createApp(ctx: AppContext): RequestListener {
  const isSecret = (text: string): boolean => ctx.tokens.isBootstrap(text);
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  // The service has its own, strict parser of query strings.
  app.set('query parser', false);
  app.use(inOrder(checkRequest(ctx.config.http, isSecret), routeRequests(ctx, ROUTE_HANDLERS)));
  const answerError = errorHandler(ctx.logger);
  app.use(answerError);

  const answerCached = inOrder(
    identifyRequest(isSecret),
    allowOrigins(ctx.config.corsOrigins),
    observeResponses(logRequests(ctx.logger), measureRequests(ctx.metrics)),
    serveCached(ctx)
  );
  return (req, res) => {
    const next = (error?: unknown): void => {
      if (error === undefined) app(req, res);
      else answerError(error, req, res, () => undefined);
    };
    try {
      answerCached(req, res, next);
    } catch (error) {
      next(error);
    }
  };
}
