/**
 * Texts that are kept in the tab: in `sessionStorage`, or in memory until the page is reloaded where the browser gives
 * the page no storage or no room in it.
 */
class TabStorage {
  private readonly memory = new Map<string, string>();

  read(key: string): string | null {
    return this.memory.get(key) ?? attempt((storage) => storage.getItem(key)) ?? null;
  }

  /** @returns whether a reload keeps it */
  write(key: string, text: string): boolean {
    this.memory.delete(key);
    const isKept = attempt((storage) => {
      storage.setItem(key, text);
      return true;
    });
    if (isKept !== true) this.memory.set(key, text);
    return isKept === true;
  }

  remove(key: string): void {
    this.memory.delete(key);
    attempt((storage) => storage.removeItem(key));
  }

  keys(): readonly string[] {
    return [...this.memory.keys(), ...(attempt((storage) => Object.keys(storage)) ?? [])];
  }
}

/** @returns undefined: the browser refuses; to name `sessionStorage` throws where cookies are blocked */
function attempt<T>(act: (storage: Storage) => T): T | undefined {
  try {
    return act(window.sessionStorage);
  } catch {
    return undefined;
  }
}

export const tabStorage = new TabStorage();
