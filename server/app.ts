/** An Express app that has not listened yet. */
import express, { type Express } from 'express';
import { ServiceError } from '#contract/errors';
import type { AppContext } from './context';
import { errorHandler } from './http/error-handler';
import { checkRequest } from './http/middleware/check-request';
import { inOrder } from './http/middleware/in-order';
import { identifyRequest } from './http/middleware/identify-request';
import { logRequests } from './http/middleware/log-requests';
import { measureRequests } from './http/middleware/measure-requests';
import { mountRoutes } from './http/router';
import { ROUTE_HANDLERS } from './http/routes/route-handlers';

export function createApp(ctx: AppContext): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  // Query strings are read by our own, strict parser.
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use(
    inOrder(
      identifyRequest(),
      logRequests(ctx.logger),
      measureRequests(ctx.metrics),
      checkRequest(ctx.config.http, (text) => ctx.tokens.isBootstrap(text))
    )
  );
  mountRoutes(app, ctx, ROUTE_HANDLERS);
  app.use(() => {
    throw new ServiceError('route_not_found', 'There is no such route.');
  });
  app.use(errorHandler(ctx.logger));
  return app;
}
