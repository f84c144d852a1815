/** One line for each answered request. Never a query string, key, query text or parameter value. */
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { requestFacts } from '../request-facts';

export function logRequests(logger: Logger): RequestHandler {
  return (req, res, next) => {
    res.once('close', () => {
      const { id, traceId, startedAtMs, route, tokenId, failure } = requestFacts(req);
      logger.info(
        {
          method: req.method,
          route: route ?? null,
          status: res.headersSent ? res.statusCode : null,
          code: failure?.code ?? null,
          complete: res.writableFinished,
          duration_ms: Math.round((performance.now() - startedAtMs) * 10) / 10,
          request_id: id,
          trace_id: traceId,
          token_id: tokenId ?? null,
        },
        'request'
      );
    });
    next();
  };
}
