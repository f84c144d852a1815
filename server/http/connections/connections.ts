/** Open connections of a server with their exchanges. */
import type { RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import { Exchanges } from './exchanges';
import { Turns } from './turns';

const MAX_CHECK_MS = 1000;

export class Connections {
  private readonly turns = new Turns();
  private readonly open = new Map<Duplex, Exchanges>();

  constructor(private readonly app: RequestListener) {}

  readonly listener: RequestListener = (req, res) => this.of(req.socket).add({ req, res });

  of(socket: Duplex): Exchanges {
    const known = this.open.get(socket);
    if (known !== undefined) return known;
    const exchanges = new Exchanges(socket, this.app, this.turns);
    this.open.set(socket, exchanges);
    socket.once('close', () => this.open.delete(socket));
    return exchanges;
  }

  /**
   * Closes connections whose clients do not read a response within this time.
   *
   * @returns a function that stops it
   */
  closeUnread(timeoutMs: number): () => void {
    const check = (): void => {
      const nowMs = performance.now();
      for (const exchanges of this.open.values()) exchanges.closeUnread(nowMs, timeoutMs);
    };
    const timer = setInterval(check, Math.min(MAX_CHECK_MS, timeoutMs / 4)).unref();
    return () => clearInterval(timer);
  }
}
