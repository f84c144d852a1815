/**
 * Work that the parser of a connection is spared. None of this is part of Node's interface (20 to 24 have it); where
 * something is missing, a packet is parsed and reported to its end.
 */
import type { Duplex } from 'node:stream';

interface Parser {
  onIncoming?: unknown;
  /** Callbacks. `HTTPParser` has their numbers. */
  [callback: number]: unknown;
}

/** Result of `onIncoming` for a request that upgrades its connection (`parserOnIncoming` in Node's sources). */
const OTHER_PROTOCOL = 2;

const NOTHING = (): void => undefined;

/**
 * Ends the parser's work on the packet in which it is, whose further requests it would build: 64 KiB have 2,500. To the
 * parser, the next request is one for another protocol, whose bytes are not HTTP. Call it before the connection is
 * closed.
 */
export function stopParsing(socket: Duplex): void {
  const parser = parserOf(socket);
  if (typeof parser?.onIncoming === 'function') parser.onIncoming = () => OTHER_PROTOCOL;
}

/**
 * Lets the parser report no parts of bodies: they are lost, and their end is reported.
 *
 * @returns a function that undoes it
 */
export function loseBody(socket: Duplex): () => void {
  const parser = parserOf(socket);
  const { kOnBody: callback } = (parser?.constructor ?? {}) as { readonly kOnBody?: unknown };
  if (parser === null || typeof callback !== 'number' || typeof parser[callback] !== 'function') return NOTHING;
  const report = parser[callback];
  parser[callback] = null;
  const undo = (): void => {
    parser[callback] = report;
    socket.off('close', undo);
  };
  // Before Node's own listener, which gives the parser to other connections.
  socket.prependListener('close', undo);
  return undo;
}

function parserOf(socket: Duplex): Parser | null {
  return (socket as { readonly parser?: Parser | null }).parser ?? null;
}
