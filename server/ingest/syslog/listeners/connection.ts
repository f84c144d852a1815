/** One connection of a sender: it is read as fast as its messages are stored. */
import type { Socket } from 'node:net';
import type { ListenerMetrics, Refusal } from '../listener-metrics';
import type { Intake, SentMessage } from '../events/intake';
import { type Frame, FrameError, FrameReader } from './frames';

export interface ConnectionParts {
  readonly sender: string;
  readonly intake: Intake;
  readonly metrics: ListenerMetrics;
  readonly maxMessageBytes: number;
  /** Reads a monotonic clock. */
  readonly nowMs: () => number;
}

export class Connection {
  private readonly reader: FrameReader;
  /** Since when this connection waits for bytes. */
  private waitsSinceMs: number;
  /** When the bytes arrived that are being read. */
  private arrivedMs = 0;
  /** Since when a message has not been completed; null: none has begun. */
  private incompleteSinceMs: number | null = null;
  /** Bytes of this connection wait to be read, or are being read. */
  private isBusy = false;
  private hasEnded = false;

  constructor(
    private readonly socket: Socket,
    private readonly parts: ConnectionParts
  ) {
    this.reader = new FrameReader(parts.maxMessageBytes);
    this.waitsSinceMs = parts.nowMs();
    socket.on('data', (chunk: Buffer) => {
      // One chunk at a time: what does not fit stays with the sender.
      socket.pause();
      this.isBusy = true;
      this.arrivedMs = parts.nowMs();
      parts.intake.add(this.read(chunk));
    });
    socket.once('end', () => this.end());
    socket.once('close', () => this.end());
  }

  /** Closes a connection that sent nothing for so long, or did not complete a message. */
  closeIfOverdue(idleMs: number, messageMs: number): void {
    if (this.isBusy) return;
    const nowMs = this.parts.nowMs();
    if (this.incompleteSinceMs !== null && nowMs - this.incompleteSinceMs > messageMs) this.refuse('slow');
    else if (nowMs - this.waitsSinceMs > idleMs) this.refuse('idle');
  }

  /** Whether nothing arrived for so long. */
  isQuietFor(ms: number): boolean {
    return !this.isBusy && this.parts.nowMs() - this.waitsSinceMs > ms;
  }

  /** Tells the sender that it must connect again; what it has sent is still read. */
  shutDown(): void {
    this.socket.end();
  }

  /** What has arrived of a message without an end is read: nothing follows it. */
  destroy(): void {
    this.end();
    this.socket.destroy();
  }

  private refuse(reason: Refusal): void {
    this.parts.metrics.noteRefusal(reason);
    this.socket.destroy();
  }

  private *read(chunk: Buffer): Generator<SentMessage, void> {
    const { reader } = this;
    let hasCompleted = false;
    try {
      reader.push(chunk);
      for (let frame = reader.next(); frame !== null; frame = reader.next()) {
        hasCompleted = true;
        yield this.messageOf(frame);
      }
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.refuse('frame');
    }
    reader.settle();
    this.isBusy = false;
    if (this.hasEnded) return yield* this.readRest();
    // Reading may have waited for the store, and the sender's next bytes with it.
    const nowMs = this.parts.nowMs();
    const startedMs = this.incompleteSinceMs;
    if (!reader.isInMessage) this.incompleteSinceMs = null;
    else if (hasCompleted || startedMs === null) this.incompleteSinceMs = nowMs;
    else this.incompleteSinceMs = startedMs + nowMs - this.arrivedMs;
    this.waitsSinceMs = nowMs;
    this.socket.resume();
  }

  private end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    if (!this.isBusy) this.parts.intake.add(this.readRest());
  }

  /** A message without an end is complete when the connection ends. */
  private *readRest(): Generator<SentMessage, void> {
    const frame = this.reader.flush();
    if (frame !== null) yield this.messageOf(frame);
  }

  private messageOf({ bytes, isCut }: Frame): SentMessage {
    return { bytes, isCut, sender: this.parts.sender };
  }
}
