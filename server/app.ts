/** An Express app that has not listened yet. */
import express, { type Express } from 'express';
import { ServiceError } from '#contract/errors';
import type { AppContext } from './context';
import { errorHandler } from './http/error-handler';
import { checkRequest } from './http/middleware/check-request';
import { identifyRequest } from './http/middleware/identify-request';
import { logRequests } from './http/middleware/log-requests';
import { measureRequests } from './http/middleware/measure-requests';
import { createRouter } from './http/router';
import { ROUTE_HANDLERS } from './http/routes/route-handlers';

export function createApp(ctx: AppContext): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  // Query strings are read by our own, strict parser.
  app.set('query parser', false);
  app.use(identifyRequest());
  app.use(logRequests(ctx.logger));
  app.use(measureRequests(ctx.metrics));
  app.use(checkRequest(ctx.config.http, (text) => ctx.tokens.isBootstrap(text)));
  app.use(createRouter(ctx, ROUTE_HANDLERS));
  app.use(() => {
    throw new ServiceError('route_not_found', 'There is no such route.');
  });
  app.use(errorHandler(ctx.logger));
  return app;
}
