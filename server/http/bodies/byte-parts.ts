/** Bytes that arrive in parts, and become one buffer without blocking the event loop. */
import { setImmediate } from 'node:timers/promises';

/** Smaller parts are copied together: a buffer costs far more than the few bytes that a sender may put into one. */
const SMALL_BYTES = 4096;
const MAX_SMALL_PARTS = 16;
const BLOCK_BYTES = 65_536;
/** Copied in one turn of the event loop. */
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

  /** Empties the parts on the way, so that their memory can be used again. */
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
