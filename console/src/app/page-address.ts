/**
 * The address of the page. A change of the page's state is seen at once and may be written to the browser a moment
 * later: browsers ignore more than 200 changes within ten seconds, Safari more than 100 within 30, as while a key is
 * kept down.
 */

/** Changes that are written at once: a browser that reloads the page takes what is written. */
const BURST = 10;
/** After this time, one more is. */
const PAUSE_MS = 350;

interface Waiting {
  readonly address: URL;
  readonly write: () => void;
}

class PageAddress {
  private waiting: Waiting | null = null;
  /** Changes that count towards the limits of the browser. */
  private written = 0;
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
    if (this.written < BURST) this.writeNow();
    else for (const listener of this.listeners) listener();
  }

  /** Before the page has another address. */
  writeNow(): void {
    const { waiting } = this;
    this.waiting = null;
    if (waiting === null) return;
    this.written += 1;
    this.timer ??= setTimeout(() => this.onPause(), PAUSE_MS);
    waiting.write();
  }

  private onPause(): void {
    this.timer = null;
    this.written -= 1;
    this.writeNow();
    if (this.written > 0) this.timer ??= setTimeout(() => this.onPause(), PAUSE_MS);
  }
}

export const pageAddress = new PageAddress();
