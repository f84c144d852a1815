/** Logs one line per completed request, never a query string, key, query text or parameter value. */
import type { Logger } from 'pino';
import type { EndedListener } from './observe-responses';

export function logRequests(logger: Logger): EndedListener {
  return ({ req, res, facts, durationMs }) => {
    const { id, traceId, route, tokenId, failure } = facts;
    logger.info(
      {
        method: req.method,
        route: route ?? null,
        status: res.headersSent ? res.statusCode : null,
        code: failure?.code ?? null,
        complete: res.writableFinished,
        duration_ms: Math.round(durationMs * 10) / 10,
        request_id: id,
        trace_id: traceId,
        token_id: tokenId ?? null,
      },
      'request'
    );
  };
}
