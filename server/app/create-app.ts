/**
 * Creates the app, which does not listen yet: Express behind the cache and the routes of calls, so that neither cached
 * results nor runs cost any part of it.
 */
import type { RequestListener } from 'node:http';
import express, { type Request, type Response } from 'express';
import type { AppContext } from './context';
import type { ConsoleFiles } from '../http/console/console-files';
import { serveConsole } from '../http/console/serve-console';
import { errorHandler } from '../http/response/error-handler';
import { allowOrigins } from '../http/middleware/allow-origins';
import { serveCached } from '../http/middleware/serve-cached';
import { checkRequest } from '../http/middleware/check-request';
import { inOrder } from '../http/middleware/in-order';
import { identifyRequest } from '../http/middleware/identify-request';
import { logRequests } from '../http/middleware/log-requests';
import { measureRequests } from '../http/middleware/measure-requests';
import { noteCalls } from '../http/middleware/note-calls';
import { observeResponses } from '../http/middleware/observe-responses';
import { callPath } from '../http/parsing/paths/call-path';
import { routeRequests } from '../http/router';
import { ROUTE_HANDLERS } from '../http/routes/route-handlers';

/** @param console null: the console is not served */
export function createApp(ctx: AppContext, console: ConsoleFiles | null = null): RequestListener {
  const isSecret = (text: string): boolean => ctx.tokens.isBootstrap(text);
  const check = checkRequest(ctx.config.http, isSecret);
  const route = routeRequests(ctx, ROUTE_HANDLERS);
  const answerError = errorHandler(ctx.logger);

  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  // The service has its own, strict parser of query strings.
  app.set('query parser', false);
  app.use(inOrder<Request, Response>((req, res) => route(req, res, req.path)));
  app.use(answerError);

  const begin = inOrder(
    identifyRequest(isSecret),
    allowOrigins(ctx.config.corsOrigins),
    observeResponses(logRequests(ctx.logger), measureRequests(ctx.metrics), noteCalls(ctx.activity)),
    serveCached(ctx),
    check,
    serveConsole(console)
  );
  return (req, res) => {
    const fail = (error: unknown): void => answerError(error, req, res, () => undefined);
    const next = (error?: unknown): void => {
      const path = callPath(req.url ?? '');
      if (error !== undefined) fail(error);
      else if (path === null) void app(req, res);
      else route(req, res, path).catch(fail);
    };
    try {
      begin(req, res, next);
    } catch (error) {
      fail(error);
    }
  };
}
