/**
 * The address of the page. A change of the page's state is seen at once and may be written to the browser a moment
 * later: browsers ignore more than 200 changes within ten seconds, Safari more than 100 within 30, as while a key is
 * kept down.
 */

/** Between two changes that are written. */
const PAUSE_MS = 350;

interface Waiting {
  readonly address: URL;
  readonly write: () => void;
}

class PageAddress {
  private waiting: Waiting | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private readonly listeners = new Set<() => void>();

  constructor() {
    // Going back or forward has left the entry that would be changed.
    window.addEventListener('popstate', () => (this.waiting = null));
  }

  /** With a change that is not written yet. */
  get current(): Pick<Location, 'search' | 'hash'> {
    return this.waiting?.address ?? window.location;
  }

  /** @returns what ends it */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** @param write replaces the address of the browser */
  replace(to: string, write: () => void): void {
    this.waiting = { address: new URL(to, window.location.href), write };
    if (this.timer === null) this.writeNow();
    else for (const listener of this.listeners) listener();
  }

  /** Before the page has another address. */
  writeNow(): void {
    const { waiting } = this;
    this.waiting = null;
    if (waiting === null) return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = null;
      this.writeNow();
    }, PAUSE_MS);
    waiting.write();
  }
}

export const pageAddress = new PageAddress();
