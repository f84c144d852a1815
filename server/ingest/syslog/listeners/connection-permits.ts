/** Permits of connections: of all listeners, of one of them, and of one client address at a listener. */
export interface ConnectionLimits {
  readonly max: number;
  readonly maxOfListener: number;
  /** At one listener. */
  readonly maxOfPeer: number;
}

/** `peer`: the address at this listener; `listener`: the listener, or all of them. */
export type FullLimit = 'peer' | 'listener';

export class ConnectionPermits {
  private total = 0;
  private readonly counts = new Map<string, number>();

  constructor(private readonly limits: ConnectionLimits) {}

  /** @returns a function that releases the permit, to be called once, or what has none left */
  acquire(listener: string, peer: string): (() => void) | FullLimit {
    const { max, maxOfListener, maxOfPeer } = this.limits;
    const keys = [listener, `${listener} ${peer}`] as const;
    if (this.countOf(keys[1]) >= maxOfPeer) return 'peer';
    if (this.total >= max || this.countOf(keys[0]) >= maxOfListener) return 'listener';
    this.change(keys, 1);
    return () => this.change(keys, -1);
  }

  private countOf(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  private change(keys: readonly string[], by: 1 | -1): void {
    this.total += by;
    for (const key of keys) {
      const count = this.countOf(key) + by;
      if (count === 0) this.counts.delete(key);
      else this.counts.set(key, count);
    }
  }
}
