/** Express error handler: renders the errors thrown by routes. */
import type { Logger } from 'pino';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CatalogError } from '../../catalog/database/catalog-error';
import { announcesBody } from '../bodies/announces-body';
import { ClientAbortError } from '../request/client-abort';
import { type ErrorShape, renderError, toServiceError } from './error-response';
import { prefersProblem } from '../parsing/negotiation/negotiate-format';
import { OTLP_PATH, otlpFormOf } from '../ingest/otlp-response';
import { showsTopLevelMessage } from '../parsing/paths/alias-paths';
import { shipperProtocolOf } from '../parsing/paths/shipper-paths';
import { requestFacts } from '../request/request-facts';

/** Four parameters, by which Express knows it; the last is not used. */
export type ErrorHandler = (thrown: unknown, req: IncomingMessage, res: ServerResponse, next: () => void) => void;

export function errorHandler(logger: Logger): ErrorHandler {
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- Express knows an error handler by its four parameters
  return (thrown: unknown, req, res, _next) => {
    if (thrown instanceof ClientAbortError || res.headersSent) {
      res.destroy();
      return;
    }
    const error = toServiceError(thrown);
    const facts = requestFacts(req);
    const { id, route } = facts;
    facts.failure = error;
    if (error.code === 'internal')
      logger.error({ err: error.cause, request_id: id, route: route ?? null }, 'unexpected failure');
    else if (thrown instanceof CatalogError)
      logger.error({ reason: thrown.message, request_id: id, route: route ?? null }, 'The catalog failed a request.');
    const answer = renderError(error, id, shapeFor(req, route));
    res.removeHeader('Content-Encoding');
    res.removeHeader('ETag');
    for (const [name, value] of Object.entries(answer.headers)) res.setHeader(name, value);
    res.setHeader('Content-Length', answer.bytes.length);
    // The unread rest of a body must not be parsed as the next request.
    if (hasUnreadBody(req)) res.setHeader('Connection', 'close');
    res.statusCode = answer.status;
    res.end(answer.bytes);
  };
}

/** Clients of a foreign protocol get errors in its format. */
function shapeFor(req: IncomingMessage, route: string | undefined): ErrorShape {
  const form = route === OTLP_PATH ? otlpFormOf(req) : null;
  if (form !== null) return form === 'json' ? 'status-json' : 'status-protobuf';
  const protocol = shipperProtocolOf(route, req.url ?? '');
  if (protocol !== null) return protocol;
  if (prefersProblem(req)) return 'problem';
  return showsTopLevelMessage(req.url ?? '') ? 'message' : 'plain';
}

function hasUnreadBody(req: IncomingMessage): boolean {
  return announcesBody(req) && !req.complete;
}
