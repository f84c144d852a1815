/**
 * The bytes of a connection on their way to TLS, in small pieces and in turns. TLS may work for long on what is no
 * message: a change of keys takes a client 27 bytes and the server some microseconds, and Node reads two megabytes of a
 * connection before any other (decision 0345).
 */
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** Larger than a record of TLS; as changes of keys alone, they take some milliseconds. */
const PIECE_BYTES = 16 * 1024;

export class PacedStream extends Duplex {
  private isWanted = false;
  private hasTurn = true;
  private waits = false;

  /**
   * @param takeTurn calls the work when it is its turn; the first piece is read at once
   * @param during runs the work of TLS on a piece
   */
  constructor(
    readonly socket: Socket,
    private readonly takeTurn: (work: () => void) => void,
    private readonly during: (work: () => boolean) => boolean
  ) {
    super();
    socket.on('readable', () => this.feed());
    socket.on('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    // After its end, what TLS has not read yet stays.
    socket.on('close', () => {
      if (!socket.readableEnded) this.destroy();
    });
  }

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    return event === 'data' ? this.during(() => super.emit(event, ...args)) : super.emit(event, ...args);
  }

  override _read(): void {
    this.isWanted = true;
    this.feed();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    // A sender that has left needs no answer.
    if (this.socket.writable) this.socket.write(chunk, encoding, callback);
    else callback();
  }

  override _final(callback: () => void): void {
    if (this.socket.writable) this.socket.end(callback);
    else callback();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.socket.destroy();
    callback(error);
  }

  private feed(): void {
    const { socket } = this;
    if (!this.isWanted || this.waits) return;
    // A read that finds nothing makes the socket announce its end.
    if (socket.readableLength === 0) return void socket.read(0);
    if (this.hasTurn) return this.pass();
    this.waits = true;
    this.takeTurn(() => {
      this.waits = false;
      if (!this.destroyed) this.pass();
    });
  }

  private pass(): void {
    const chunk = this.socket.read(Math.min(this.socket.readableLength, PIECE_BYTES)) as Buffer | null;
    if (chunk === null) return;
    this.hasTurn = false;
    this.isWanted = false;
    this.push(chunk);
  }
}
