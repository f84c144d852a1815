/**
 * Knows whether the page has unsaved changes, and stops going back or forward then. It listens before the router does:
 * browsers tell the listeners of a window in the order in which they were added.
 */

interface Unsaved {
  /** What would be lost. */
  readonly what: string;
  /** Path of the page. */
  readonly path: string;
}

type Ask = (question: { readonly what: string; readonly go: () => void }) => void;

class LeaveWatch {
  /** By the part of the page that has them. */
  private readonly parts = new Map<string, Unsaved>();
  private ask: Ask = ({ go }) => go();
  private address = window.location.href;

  constructor() {
    const keepAddress = (): void => {
      this.address = window.location.href;
    };
    window.addEventListener('popstate', (event) => this.onMove(event));
    // The router sends these.
    window.addEventListener('pushState', keepAddress);
    window.addEventListener('replaceState', keepAddress);
    window.addEventListener('beforeunload', (event) => {
      if (this.unsaved !== null) event.preventDefault();
    });
  }

  onQuestion(ask: Ask): void {
    this.ask = ask;
  }

  /** @param what of this part of the page would be lost; null: nothing */
  protect(part: string, what: string | null): void {
    if (what === null) this.parts.delete(part);
    else this.parts.set(part, { what, path: window.location.pathname });
  }

  /** Does it at once, or after the person has agreed. */
  leave(go: () => void): void {
    if (this.unsaved === null) return go();
    const { what } = this.unsaved;
    return this.ask({
      what,
      go: () => {
        this.parts.clear();
        go();
      },
    });
  }

  /** Whether the path is that of the page itself. */
  isHere(path: string): boolean {
    return this.unsaved?.path === path;
  }

  private get unsaved(): Unsaved | null {
    return [...this.parts.values()][0] ?? null;
  }

  /** The address has changed already: it is put back before a page sees it. */
  private onMove(event: PopStateEvent): void {
    if (this.unsaved === null || this.isHere(window.location.pathname)) {
      this.address = window.location.href;
      return;
    }
    event.stopImmediatePropagation();
    window.history.pushState(null, '', this.address);
    this.leave(() => window.history.back());
  }
}

export const leaveWatch = new LeaveWatch();
