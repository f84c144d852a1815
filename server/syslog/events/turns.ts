/**
 * Shares the server's thread between listeners: one turn in each pass of the event loop, in order. Requests are served
 * between two turns, however many listeners have work.
 */
export class Turns {
  private readonly waiting: (() => void)[] = [];

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (this.waiting.length === 1) setImmediate(this.start);
    });
  }

  private readonly start = (): void => {
    const resolve = this.waiting.shift();
    if (this.waiting.length > 0) setImmediate(this.start);
    resolve?.();
  };
}
