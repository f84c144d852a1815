/**
 * Chunked bodies in fair shares. A packet of 64 KiB has up to 10,900 chunks, which Node reports one by one, and 32
 * packets of a connection are read before anything else runs. The chunks of a packet are joined, and a packet of many
 * chunks waits for a turn of the event loop until it is passed on; its connection is not read meanwhile.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { loseBody } from './parser';
import type { TaskQueue } from './task-queue';

/** Chunks of a packet that waits for a turn. */
const MANY_CHUNKS = 256;
/** Larger chunks are passed on as they are. */
const SMALL_BYTES = 4096;
const BLOCK_BYTES = 65_536;

const bodies = new WeakMap<IncomingMessage, ChunkedBody>();

/** What was passed on of a chunked body. */
export interface PassedOn {
  readonly chunks: number;
  readonly bytes: number;
}

/** Null for bodies that are not chunked. */
export function passedOnOf(req: IncomingMessage): PassedOn | null {
  return bodies.get(req) ?? null;
}

/** @param turns one packet takes one turn */
export function shareChunkedBody(req: IncomingMessage, res: ServerResponse, turns: TaskQueue): void {
  if (req.headers['transfer-encoding'] === undefined) return;
  bodies.set(req, new ChunkedBody(req, res, turns));
  // After the response, Node pushes the rest of a body only if it was read before.
  req.read(0);
  res.once('finish', () => req.resume());
}

/** Chunks that arrived together, joined. */
class Packet {
  chunks = 0;
  bytes = 0;
  private first: Buffer | null = null;
  private block: Buffer | null = null;

  add(chunk: Buffer): void {
    this.chunks += 1;
    if (this.first === null) {
      this.first = chunk;
    } else {
      this.block ??= blockWith(this.first);
      chunk.copy(this.block, this.bytes);
    }
    this.bytes += chunk.length;
  }

  /** A small result does not keep the memory of a block. */
  join(): Buffer {
    return this.block === null ? this.first! : Buffer.from(this.block.subarray(0, this.bytes));
  }
}

function blockWith(first: Buffer): Buffer {
  const block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  first.copy(block);
  return block;
}

class ChunkedBody implements PassedOn {
  chunks = 0;
  bytes = 0;
  private readonly socket: Duplex;
  private readonly push: IncomingMessage['push'];
  private packet: Packet | null = null;
  private isEnded = false;
  /** The stream wants no more bytes until it is read. */
  private isFull = false;
  /** Undoes `loseBody`. */
  private reportBody = (): void => undefined;

  constructor(
    req: IncomingMessage,
    private readonly res: ServerResponse,
    private readonly turns: TaskQueue
  ) {
    this.socket = req.socket;
    this.push = req.push.bind(req);
    req.push = (chunk: Buffer | null) => (chunk === null ? this.end() : this.add(chunk));
  }

  /** @returns false: the connection is not to be read until the stream asks for bytes */
  private add(chunk: Buffer): boolean {
    if (this.packet !== null && this.packet.bytes + chunk.length > BLOCK_BYTES) this.passPacket();
    if (this.packet === null) {
      if (chunk.length >= SMALL_BYTES) return this.passOn(chunk, 1);
      this.packet = new Packet();
      // Ticks run between two chunks of a packet.
      setImmediate(() => this.awaitTurn());
    }
    this.packet.add(chunk);
    const { chunks } = this.packet;
    if (chunks !== MANY_CHUNKS) return chunks !== 1 || !this.isFull;
    // The rest of the packet is discarded anyway.
    if (this.res.writableFinished) this.reportBody = loseBody(this.socket);
    return false;
  }

  private end(): boolean {
    this.isEnded = true;
    // The next request may be in the same packet.
    this.reportBody();
    return this.packet === null ? this.push(null) : false;
  }

  private awaitTurn(): void {
    if (this.packet === null) return;
    if (this.packet.chunks < MANY_CHUNKS) this.passPacket();
    else this.turns.add(() => this.passPacket());
  }

  private passPacket(): void {
    if (this.packet === null) return;
    this.reportBody();
    this.isFull = !this.passOn(this.packet.join(), this.packet.chunks);
    this.packet = null;
    if (this.isEnded) this.push(null);
  }

  private passOn(bytes: Buffer, chunks: number): boolean {
    this.chunks += chunks;
    this.bytes += bytes.length;
    return this.push(bytes);
  }
}
