/** Two streams that read each other's writes, with backpressure when the reader stops. */
import { Duplex } from 'node:stream';

class End extends Duplex {
  peer: End | null = null;
  private resumeWriter: (() => void) | null = null;

  override _read(): void {
    const resume = this.resumeWriter;
    this.resumeWriter = null;
    resume?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.peer?.push(chunk)) done();
    else if (this.peer) this.peer.resumeWriter = done;
  }

  override _final(done: () => void): void {
    this.peer?.push(null);
    done();
  }
}

export function duplexPair(options: { readonly highWaterMark?: number } = {}): readonly [Duplex, Duplex] {
  const left = new End(options);
  const right = new End(options);
  left.peer = right;
  right.peer = left;
  return [left, right];
}
