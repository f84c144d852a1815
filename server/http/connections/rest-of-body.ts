/**
 * Drains request bodies that are still arriving after the response. Closing the connection while the client sends would
 * reset it, and the client would lose the response; an endless body must not occupy the connection either.
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

/**
 * Receives and discards the rest of the body within limits of time and size; then the connection is closed or reused.
 */
export function boundRestOfBody(req: IncomingMessage, res: ServerResponse): void {
  const socket: KeptSocket = req.socket;
  if (socket[CURRENT] === undefined) closeAfterRest(socket);
  socket[CURRENT] = req;
  res.once('finish', () => {
    if (!req.complete && !socket.writableEnded) watchRest(req, socket);
  });
}

/** Node calls `destroySoon` after the last response of a connection. Streams other than sockets lack the method. */
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
