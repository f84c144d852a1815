/**
 * Exchanges of a connection, handled one after another. The parser reports more than a thousand small requests of one
 * packet before anything else runs. A request waits for the response before its own and for a turn of the event loop,
 * so the delay of other connections and the memory do not grow with the number of requests that are sent at once.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { shareChunkedBody } from './chunked-body';
import { stopParsing } from './parser';
import { boundRestOfBody } from './rest-of-body';
import type { TaskQueue } from './task-queue';

/** Requests of a connection that wait for earlier responses. With more, it is closed. */
const MAX_WAITING = 100;
/** Requests and their bytes that may wait while the connection is read, which is how a client abort is seen. */
const MAX_READ_AHEAD = 16;
const MAX_READ_AHEAD_BYTES = 16_384;
/** Bytes that may wait while a packet is read from time to time, for the same reason. */
const MAX_SLOWLY_READ_BYTES = 131_072;

const NOTHING = (): void => undefined;

interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** Turns of the event loop, shared by all connections. */
export interface Turns {
  readonly requests: TaskQueue;
  /** Packets of many chunks. */
  readonly packets: TaskQueue;
}

export class Exchanges {
  private current: Exchange | null = null;
  private readonly waiting: Exchange[] = [];
  private isTurnAwaited = false;
  private isPauseAwaited = false;
  /** Bytes of the connection when the first of the waiting requests was there. */
  private firstReadBytes = 0;
  /** Ends the connection when the requests so far are answered. */
  private end: (() => void) | null = null;
  private unreadSinceMs: number | null = null;

  constructor(
    private readonly socket: Duplex,
    private readonly app: RequestListener,
    private readonly turns: Turns
  ) {}

  /** Whether no request is in progress or waits. One whose headers are incomplete does not count. */
  get isIdle(): boolean {
    return this.waiting.length === 0 && (this.current === null || this.current.res.closed);
  }

  /**
   * Whether it is idle, has its last body whole, and no end: a response that ends the connection is still to be read.
   */
  get isSilent(): boolean {
    return this.isIdle && this.current?.req.complete !== false && !this.socket.writableEnded;
  }

  add(exchange: Exchange): void {
    if (this.end !== null) return;
    boundRestOfBody(exchange.req, exchange.res);
    shareChunkedBody(exchange.req, exchange.res, this.turns.packets);
    if (this.isIdle) {
      this.handle(exchange);
      return;
    }
    if (this.waiting.length === 0) this.firstReadBytes = this.readBytes;
    if (this.waiting.push(exchange) > MAX_WAITING) {
      stopParsing(this.socket);
      this.close();
      return;
    }
    this.awaitTurn();
    this.pauseAfterPacket();
  }

  /**
   * Takes no further request. `end` runs when the requests so far are answered, and at once when the one in progress
   * is incomplete: then it is its response.
   */
  endWith(end: () => void): void {
    if (this.end !== null) return;
    this.end = end;
    // Only the latest request can be incomplete.
    if (this.waiting.at(-1)?.req.complete === false) this.waiting.pop();
    if (this.waiting.length > 0) return;
    const { current } = this;
    if (current === null) end();
    else if (!current.req.complete && current.res.headersSent) this.close();
    else if (!current.req.complete || current.res.closed) end();
    else this.awaitTurn();
  }

  /** Closes the connection when the client has not read a response within this time. */
  closeUnread(nowMs: number, timeoutMs: number): void {
    const { current } = this;
    const isUnread = current !== null && current.res.writableEnded && !current.res.closed;
    this.unreadSinceMs = isUnread ? (this.unreadSinceMs ?? nowMs) : null;
    if (this.unreadSinceMs !== null && nowMs - this.unreadSinceMs >= timeoutMs) this.close();
  }

  /** Reads one more packet while requests wait: a client abort comes behind what the client has sent. */
  readOn(): void {
    if (this.end === null && this.isReadAhead && this.readBytes - this.firstReadBytes <= MAX_SLOWLY_READ_BYTES)
      this.socket.resume();
  }

  private close(): void {
    this.end = NOTHING;
    this.waiting.length = 0;
    this.socket.destroy();
  }

  private handle(exchange: Exchange): void {
    this.current = exchange;
    this.unreadSinceMs = null;
    this.app(exchange.req, exchange.res);
  }

  private awaitTurn(): void {
    if (this.isTurnAwaited) return;
    this.isTurnAwaited = true;
    const takeTurn = (): void => {
      this.isTurnAwaited = false;
      this.takeTurn();
    };
    this.current!.res.once('close', () => this.turns.requests.add(takeTurn));
  }

  private takeTurn(): void {
    if (!this.socket.writable) {
      this.waiting.length = 0;
      return;
    }
    const next = this.waiting.shift();
    if (next !== undefined) this.handle(next);
    if (this.waiting.length > 0 || (this.end !== null && next !== undefined)) this.awaitTurn();
    else if (this.end !== null) this.end();
    if (this.end === null && !this.isReadAhead) this.socket.resume();
  }

  private get isReadAhead(): boolean {
    const { length } = this.waiting;
    return length > MAX_READ_AHEAD || (length > 0 && this.readBytes - this.firstReadBytes > MAX_READ_AHEAD_BYTES);
  }

  /** Streams other than sockets do not count. */
  private get readBytes(): number {
    return (this.socket as Partial<Socket>).bytesRead ?? 0;
  }

  /** Reads no more requests while many wait. The parser would undo a pause before the end of its packet. */
  private pauseAfterPacket(): void {
    if (this.isPauseAwaited) return;
    this.isPauseAwaited = true;
    process.nextTick(() => {
      this.isPauseAwaited = false;
      const latest = this.waiting.at(-1);
      // The rest of a body has to arrive.
      if (latest?.req.complete === true && this.isReadAhead) this.socket.pause();
    });
  }
}
