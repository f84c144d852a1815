/** Collects the chunks of a body and joins them without blocking the event loop. */
import { setImmediate } from 'node:timers/promises';

/**
 * Chunks below this size are copied into shared blocks: a Buffer object costs far more than the few bytes of a small
 * chunk.
 */
const SMALL_BYTES = 4096;
const MAX_SMALL_PARTS = 16;
const BLOCK_BYTES = 65_536;
/** Bytes copied in one turn of the event loop. */
const TURN_BYTES = 4 * 1024 * 1024;

export class ByteParts {
  private parts: Buffer[] = [];
  private smallParts = 0;
  private block: Buffer | null = null;
  private used = 0;
  private total = 0;

  get length(): number {
    return this.total;
  }

  add(part: Buffer): void {
    this.total += part.length;
    if (part.length >= SMALL_BYTES || this.smallParts < MAX_SMALL_PARTS) {
      if (part.length < SMALL_BYTES) this.smallParts += 1;
      this.closeBlock();
      this.parts.push(part);
      return;
    }
    if (this.block !== null && this.used + part.length > this.block.length) this.closeBlock();
    this.block ??= Buffer.allocUnsafeSlow(BLOCK_BYTES);
    this.used += part.copy(this.block, this.used);
  }

  /** Joins the chunks into one buffer. Releases each chunk after copying it, to limit peak memory. */
  async join(): Promise<Buffer> {
    this.closeBlock();
    const parts = this.parts.reverse();
    this.parts = [];
    if (parts.length === 1) return parts[0]!;
    const joined = Buffer.allocUnsafeSlow(this.total);
    let at = 0;
    let turnEnd = TURN_BYTES;
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      at += part.copy(joined, at);
      if (at < turnEnd) continue;
      await setImmediate();
      turnEnd = at + TURN_BYTES;
    }
    return joined;
  }

  private closeBlock(): void {
    if (this.block !== null) this.parts.push(this.block.subarray(0, this.used));
    this.block = null;
    this.used = 0;
  }
}
