/** Open connections of a server with their exchanges. */
import type { RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import { Exchanges } from './exchanges';
import { TaskQueue } from './task-queue';

const MAX_CHECK_MS = 1000;

export interface ConnectionStats {
  readonly open: number;
  readonly max: number;
  /** Idle connections closed for new ones since the start. */
  readonly idle: number;
  /** New connections closed since the start, because none was idle. */
  readonly refused: number;
}

export class Connections {
  private idle = 0;
  private refused = 0;
  /** A server accepts one new connection in a turn, so each turn has to be short. */
  private readonly turns = { requests: new TaskQueue(8), packets: new TaskQueue(1) };
  /** Ordered by the start of their latest request, or by their opening. */
  private readonly open = new Map<Duplex, Exchanges>();

  constructor(
    private readonly app: RequestListener,
    private readonly maxConnections: number,
    private readonly onRefused: () => void
  ) {}

  get stats(): ConnectionStats {
    const { open, maxConnections: max, idle, refused } = this;
    return { open: open.size, max, idle, refused };
  }

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
    if (this.open.size < this.maxConnections || this.closeLongestIdle()) {
      this.of(socket);
      return;
    }
    socket.destroy();
    this.refused++;
    this.onRefused();
  }

  private closeLongestIdle(): boolean {
    for (const [socket, exchanges] of this.open) {
      if (!exchanges.isIdle) continue;
      this.open.delete(socket);
      socket.destroy();
      this.idle++;
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
