/** Responses to requests that the HTTP parser rejects, in the same shape as all other errors. */
import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ServiceError } from '#contract/errors';
import type { HttpLimits } from '../../config';
import { ALWAYS_HEADERS, newRequestId } from '../middleware/identify-request';
import { renderError } from '../response/error-response';
import type { Connections } from './connections';
import { endConnection } from './end-connection';

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

export function answerClientErrors(server: Server, limits: HttpLimits, connections: Connections): void {
  server.on('clientError', (error: ParserError, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else connections.of(socket).endWith(() => end(socket, describe(error, limits)));
  });
  server.on('connect', (_req, socket) => {
    const error = new ServiceError('method_not_allowed', 'The method CONNECT is not allowed here.');
    connections.of(socket).endWith(() => end(socket, error));
  });
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
  const start = Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n`);
  endConnection(socket, Buffer.concat([start, bytes]));
}
