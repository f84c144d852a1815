/**
 * Shares the server's thread between owners of work: one turn in each pass of the event loop, of each owner in order.
 * Other requests are served between two turns, however much work an owner has.
 */
export class RoundRobin {
  /** Owners in the order of their next turns. */
  private readonly waiting = new Map<string, (() => void)[]>();

  next(owner: string): Promise<void> {
    return new Promise((resolve) => {
      const own = this.waiting.get(owner);
      if (own !== undefined) return void own.push(resolve);
      this.waiting.set(owner, [resolve]);
      if (this.waiting.size === 1) setImmediate(this.start);
    });
  }

  private readonly start = (): void => {
    const [owner, own] = this.waiting.entries().next().value!;
    const resolve = own.shift()!;
    this.waiting.delete(owner);
    if (own.length > 0) this.waiting.set(owner, own);
    if (this.waiting.size > 0) setImmediate(this.start);
    resolve();
  };
}
