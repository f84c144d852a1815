/** Open connections of a server with their exchanges. */
import type { RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import { Exchanges } from './exchanges';
import { Turns } from './turns';

const MAX_CHECK_MS = 1000;

export class Connections {
  private readonly turns = new Turns();
  /** Ordered by the start of their latest request, or by their opening. */
  private readonly open = new Map<Duplex, Exchanges>();

  constructor(
    private readonly app: RequestListener,
    private readonly maxConnections: number
  ) {}

  readonly listener: RequestListener = (req, res) => {
    const exchanges = this.of(req.socket);
    this.open.delete(req.socket);
    this.open.set(req.socket, exchanges);
    exchanges.add({ req, res });
  };

  /**
   * Takes a new connection. With more than the maximum, the one that is idle for the longest time is closed, so that
   * clients that keep connections open and send nothing do not refuse others; the new one when none is idle.
   */
  accept(socket: Duplex): void {
    if (this.open.size >= this.maxConnections && !this.closeLongestIdle()) socket.destroy();
    else this.of(socket);
  }

  private closeLongestIdle(): boolean {
    for (const [socket, exchanges] of this.open) {
      if (!exchanges.isIdle) continue;
      this.open.delete(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  /** Closes connections without a request, also those that never had one or do not send it to its end. */
  closeSilent(): void {
    for (const [socket, exchanges] of this.open) if (exchanges.isSilent) socket.destroy();
  }

  of(socket: Duplex): Exchanges {
    const known = this.open.get(socket);
    if (known !== undefined) return known;
    const exchanges = new Exchanges(socket, this.app, this.turns);
    this.open.set(socket, exchanges);
    socket.once('close', () => this.open.delete(socket));
    return exchanges;
  }

  /**
   * Closes connections whose clients do not read a response within this time, and finds those whose clients have
   * disconnected while many of their requests wait.
   *
   * @returns a function that stops it
   */
  watch(timeoutMs: number): () => void {
    const check = (): void => {
      const nowMs = performance.now();
      for (const exchanges of this.open.values()) {
        exchanges.closeUnread(nowMs, timeoutMs);
        exchanges.readOn();
      }
    };
    const timer = setInterval(check, Math.min(MAX_CHECK_MS, timeoutMs / 4)).unref();
    return () => clearInterval(timer);
  }
}
