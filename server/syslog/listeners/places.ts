/** Places of connections: of all listeners together, and of one client address. */
export class ConnectionPlaces {
  private total = 0;
  private readonly byPeer = new Map<string, number>();

  constructor(
    private readonly max: number,
    private readonly maxOfPeer: number
  ) {}

  /** @returns a function that gives the place back, to be called once; null: there is none */
  take(peer: string): (() => void) | null {
    const count = this.byPeer.get(peer) ?? 0;
    if (this.total >= this.max || count >= this.maxOfPeer) return null;
    this.total++;
    this.byPeer.set(peer, count + 1);
    return () => {
      this.total--;
      const left = this.byPeer.get(peer)! - 1;
      if (left === 0) this.byPeer.delete(peer);
      else this.byPeer.set(peer, left);
    };
  }
}
