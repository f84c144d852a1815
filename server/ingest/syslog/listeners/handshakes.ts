/**
 * TLS connections whose handshake has not ended. Anyone who may connect can keep one open without a certificate, so
 * where no permit is left, they make room for new connections: of the address with the most, the oldest first.
 */
interface Handshake {
  readonly peer: string;
  /** Closes the connection, and releases its permit. */
  readonly close: () => void;
}

export class Handshakes<K> {
  private readonly running = new Map<K, Handshake>();
  /** Keys by address, oldest first. */
  private readonly byPeer = new Map<string, Set<K>>();

  begin(key: K, handshake: Handshake): void {
    this.running.set(key, handshake);
    const keys = this.byPeer.get(handshake.peer) ?? new Set();
    this.byPeer.set(handshake.peer, keys.add(key));
  }

  /** Called when the handshake has ended, or its connection. */
  end(key: K): void {
    const handshake = this.running.get(key);
    if (handshake === undefined) return;
    this.running.delete(key);
    const keys = this.byPeer.get(handshake.peer)!;
    keys.delete(key);
    if (keys.size === 0) this.byPeer.delete(handshake.peer);
  }

  /** @param peer address; null: the one with the most handshakes @returns whether one was closed */
  closeOldest(peer: string | null): boolean {
    const keys = peer === null ? this.most() : this.byPeer.get(peer);
    if (keys === undefined) return false;
    const [key] = keys as Iterable<K>;
    const { close } = this.running.get(key!)!;
    this.end(key!);
    close();
    return true;
  }

  private most(): ReadonlySet<K> | undefined {
    let most: ReadonlySet<K> | undefined;
    for (const keys of this.byPeer.values()) if (keys.size > (most?.size ?? 0)) most = keys;
    return most;
  }
}
