/**
 * Writes log lines to a file descriptor without waiting for its reader: lines are dropped while the reader of a pipe
 * stands still or the disk of a file is full.
 */
import { write, writeSync } from 'node:fs';
import { errorCode } from '../common/caught-error';

export interface LogOutputOptions {
  /** Lines that wait, in bytes. @default 4 MiB */
  readonly maxWaitingBytes?: number;
  /** Time that the end of the process waits for the reader. @default 500 */
  readonly exitMs?: number;
}

/** A reader that is only slow has read soon: the pause doubles up to the longest one. */
const FIRST_RETRY_MS = 5;
const LONGEST_RETRY_MS = 100;
const EXIT_RETRY_MS = 10;

export class LogOutput {
  /** Lines that are being written, or are written again after a pause. */
  private current: Buffer | null = null;
  private isPausing = false;
  private retryMs = FIRST_RETRY_MS;
  private waiting: Buffer[] = [];
  /** Bytes of `current` and `waiting`. */
  private waitingBytes = 0;
  private droppedLines = 0;
  private unreportedLines = 0;
  private report: (lines: number) => void = () => undefined;
  private readonly maxWaitingBytes: number;
  private readonly exitMs: number;

  /** @param fd of a pipe, a file or a terminal; a pipe must not block */
  constructor(
    private readonly fd: number,
    { maxWaitingBytes = 4 * 1024 * 1024, exitMs = 500 }: LogOutputOptions = {}
  ) {
    this.maxWaitingBytes = maxWaitingBytes;
    this.exitMs = exitMs;
  }

  /** Lines dropped since the start. */
  get dropped(): number {
    return this.droppedLines;
  }

  /** @param report called with the number of dropped lines when lines can be written again */
  onRecovery(report: (lines: number) => void): void {
    this.report = report;
  }

  /** @param line with its line break */
  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.waitingBytes + bytes.length > this.maxWaitingBytes) {
      this.drop(1);
      return;
    }
    this.waiting.push(bytes);
    this.waitingBytes += bytes.length;
    if (this.current === null && !this.isPausing) this.writeNext();
  }

  /** Writes what waits, at the end of the process. */
  flushSync(): void {
    // What is being written is complete before the process ends.
    const isInWork = this.current !== null && !this.isPausing;
    let rest = Buffer.concat([...(this.current === null || isInWork ? [] : [this.current]), ...this.waiting]);
    const untilMs = performance.now() + this.exitMs;
    while (rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(this.fd, rest));
      } catch (error) {
        if (!isFull(error) || performance.now() > untilMs) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, EXIT_RETRY_MS);
      }
    }
  }

  private writeNext(): void {
    if (this.current === null) {
      if (this.waiting.length === 0) return;
      this.current = Buffer.concat(this.waiting);
      this.waiting = [];
    }
    const { current } = this;
    write(this.fd, current, 0, current.length, null, (error, written) => {
      if (error === null) this.advance(current, written);
      else this.retryAfter(error, current);
    });
  }

  private advance(current: Buffer, written: number): void {
    this.waitingBytes -= written;
    this.retryMs = FIRST_RETRY_MS;
    this.current = written < current.length ? current.subarray(written) : null;
    this.writeNext();
    if (this.waitingBytes <= this.maxWaitingBytes / 2) this.reportDropped();
  }

  private retryAfter(error: Error, current: Buffer): void {
    if (!isFull(error)) {
      this.current = null;
      this.waitingBytes -= current.length;
      this.drop(current.reduce((lines, byte) => (byte === LINE_BREAK ? lines + 1 : lines), 0));
    }
    this.isPausing = true;
    setTimeout(() => {
      this.isPausing = false;
      this.writeNext();
    }, this.retryMs).unref();
    this.retryMs = Math.min(this.retryMs * 2, LONGEST_RETRY_MS);
  }

  private drop(lines: number): void {
    this.droppedLines += lines;
    this.unreportedLines += lines;
  }

  private reportDropped(): void {
    const lines = this.unreportedLines;
    if (lines === 0) return;
    this.unreportedLines = 0;
    this.report(lines);
  }
}

const LINE_BREAK = 10;

/** Whether the reader of a pipe has to read first. */
function isFull(error: unknown): boolean {
  return errorCode(error) === 'EAGAIN';
}
