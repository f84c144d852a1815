/** Ends a connection, also when the client does not close its side. */
import type { Duplex } from 'node:stream';

/** Time for the client to read the last bytes and to close its side. */
const LINGER_MS = 2000;

/** @param bytes the last ones */
export function endConnection(socket: Duplex, bytes: Uint8Array = new Uint8Array()): void {
  socket.end(bytes);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
