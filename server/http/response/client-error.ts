/** Responses to requests that the HTTP parser rejects, in the same shape as all other errors. */
import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ServiceError } from '#contract/errors';
import type { HttpLimits } from '../../config';
import { boundRestOfBody } from '../bodies/rest-of-body';
import { renderError } from './error-response';
import { ALWAYS_HEADERS, newRequestId } from '../middleware/identify-request';

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

const LATEST = Symbol('latest exchange');

interface WithLatest {
  [LATEST]?: Exchange;
}

/** Tracks the latest request of each connection. */
export function trackExchanges(app: RequestListener): {
  readonly listener: RequestListener;
  readonly latestOf: (socket: Duplex) => Exchange | undefined;
} {
  return {
    listener: (req, res) => {
      (req.socket as WithLatest)[LATEST] = { req, res };
      boundRestOfBody(req, res);
      app(req, res);
    },
    latestOf: (socket) => (socket as WithLatest)[LATEST],
  };
}

export function answerClientErrors(
  server: Server,
  limits: HttpLimits,
  latestOf: (socket: Duplex) => Exchange | undefined
): void {
  server.on('clientError', (error: ParserError, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswered(latestOf(socket))) socket.destroy();
    else end(socket, describe(error, limits));
  });
  server.on('connect', (_req, socket) => {
    end(socket, new ServiceError('method_not_allowed', 'The method CONNECT is not allowed here.'));
  });
}

/**
 * Whether an error response would be mistaken for the response to another request: one is already sent, or an earlier
 * one is pending.
 */
function isAnswered(exchange: Exchange | undefined): boolean {
  if (exchange === undefined) return false;
  const { req, res } = exchange;
  return req.complete ? !res.writableFinished : res.headersSent;
}

function describe(error: ParserError, limits: HttpLimits): ServiceError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return isWithinRequestLine(error.rawPacket, limits)
        ? new ServiceError('uri_too_long', 'The request target is too long.')
        : new ServiceError('headers_too_large', 'The request headers are too large.');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ServiceError('body_too_large', 'The chunk extensions of the body are too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('request_timeout', 'The request did not arrive in time.');
    default:
      return new ServiceError('request_invalid', 'The request is not valid HTTP/1.1.');
  }
}

/** Whether the packet starts a request whose first line exceeds the limit. */
function isWithinRequestLine(packet: Buffer | undefined, { maxUrlBytes }: HttpLimits): boolean {
  if (packet === undefined || !/^[A-Z-]+ /.test(packet.toString('latin1', 0, 32))) return false;
  const lineEnd = packet.indexOf('\n');
  return lineEnd < 0 || lineEnd > maxUrlBytes;
}

function end(socket: Duplex, error: ServiceError): void {
  const requestId = newRequestId();
  const { status, headers, bytes } = renderError(error, requestId, 'plain');
  const all: Record<string, string> = {
    Date: new Date().toUTCString(),
    ...ALWAYS_HEADERS,
    ...headers,
    'X-Request-Id': requestId,
    'Content-Length': String(bytes.length),
    Connection: 'close',
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n`), bytes]));
}
