/**
 * What is left of a request body after its answer. A connection that is closed at once under a client that still sends is reset, and the
 * client loses the answer; a body without end must not keep the connection busy either.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const MAX_MS = 2000;
const MAX_BYTES = 32 * 1024 * 1024;
const CHECK_MS = 100;

const CURRENT = Symbol('current request');

interface KeptSocket extends Socket {
  [CURRENT]?: IncomingMessage;
}

/** The rest is received and dropped within bounds of time and size; then the connection is closed, or serves its next request. */
export function boundRestOfBody(req: IncomingMessage, res: ServerResponse): void {
  const socket: KeptSocket = req.socket;
  if (socket[CURRENT] === undefined) closeAfterRest(socket);
  socket[CURRENT] = req;
  res.once('finish', () => {
    if (!req.complete && !socket.writableEnded) watchRest(req, socket);
  });
}

/** Node calls `destroySoon` when the last answer of a connection is out. Streams that are no sockets do not have it. */
function closeAfterRest(socket: KeptSocket): void {
  if (typeof socket.destroySoon !== 'function') return;
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    const req = socket[CURRENT];
    if (req === undefined || req.complete) {
      destroySoon();
      return;
    }
    req.once('end', destroySoon);
    req.resume();
    watchRest(req, socket);
    socket.end();
  };
}

function watchRest(req: IncomingMessage, socket: Socket): void {
  const untilMs = performance.now() + MAX_MS;
  const maxBytesRead = socket.bytesRead + MAX_BYTES;
  const timer = setInterval(() => {
    if (!req.complete && !socket.destroyed && performance.now() < untilMs && socket.bytesRead < maxBytesRead) return;
    clearInterval(timer);
    if (!req.complete) socket.destroy();
  }, CHECK_MS);
}
