/** The HTTP server around the app: bounds on sizes and times, and JSON answers to what the parser refuses. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { HttpLimits } from '../config';
import { answerClientErrors, trackExchanges } from './response/client-error';

export function createHttpServer(app: RequestListener, limits: HttpLimits): Server {
  const { listener, latestOf } = trackExchanges(app);
  const server = createServer(
    {
      // The parser counts the target and the headers together; each has its own, exact limit in the app.
      maxHeaderSize: limits.maxUrlBytes + limits.maxHeaderBytes + 4096,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: Math.max(limits.requestTimeoutMs, limits.headersTimeoutMs),
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: Math.min(5000, Math.ceil(limits.headersTimeoutMs / 4)),
      requireHostHeader: false,
    },
    listener
  );
  // The parser drops headers beyond a count, silently; their size is bounded already.
  server.maxHeadersCount = 0;
  server.maxConnections = limits.maxConnections;
  // The app decides whether the body is wanted (read-body.ts); other expectations are ignored.
  server.on('checkContinue', listener);
  server.on('checkExpectation', listener);
  answerClientErrors(server, limits, latestOf);
  return server;
}
