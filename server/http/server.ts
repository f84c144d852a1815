/** HTTP server around the app: limits for sizes and times, and JSON responses to requests that the parser rejects. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { HttpLimits } from '../config';
import { answerClientErrors } from './connections/client-error';
import { Connections } from './connections/connections';

export interface HttpServer extends Server {
  /** Closes connections without a request, those included that never had one: Node keeps them when a server closes. */
  closeSilent(): void;
}

export function createHttpServer(app: RequestListener, limits: HttpLimits): HttpServer {
  const connections = new Connections(app, limits.maxConnections);
  const { listener } = connections;
  const server = createServer(
    {
      // The parser limits target and headers together; the app checks each against its own exact limit.
      maxHeaderSize: limits.maxUrlBytes + limits.maxHeaderBytes + 4096,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: Math.max(limits.requestTimeoutMs, limits.headersTimeoutMs),
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: Math.min(5000, Math.ceil(limits.headersTimeoutMs / 4)),
      requireHostHeader: false,
    },
    listener
  );
  // 0 disables the limit: beyond it the parser silently drops headers. Their total size is bounded anyway.
  server.maxHeadersCount = 0;
  server.on('connection', (socket) => connections.accept(socket));
  // The app decides whether to receive the body (read-body.ts). Other expectations are ignored.
  server.on('checkContinue', listener);
  server.on('checkExpectation', listener);
  answerClientErrors(server, limits, connections);
  server.once('close', connections.watch(limits.answerTimeoutMs));
  return Object.assign(server, { closeSilent: () => connections.closeSilent() });
}
