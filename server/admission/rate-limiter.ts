/** So many requests in a minute for each key. Windows start with the first request; memory is bounded by forgetting the oldest window. */

export interface RateState {
  readonly isAllowed: boolean;
  /** Requests that are left in this window. */
  readonly remaining: number;
  /** Whole seconds until a new window starts, at least 1. */
  readonly resetSeconds: number;
}

export interface RateLimiter {
  /** Counts one request, unless none is left. @param quota requests in one window */
  take(key: string, quota: number): RateState;
  /** The same without counting. */
  look(key: string, quota: number): RateState;
}

export const RATE_WINDOW_SECONDS = 60;

interface Window {
  used: number;
  readonly endsAtMs: number;
}

/** @param nowMs milliseconds of a clock that never goes back */
export function createRateLimiter(maxKeys: number, nowMs: () => number): RateLimiter {
  /** In the order of their starts, which is that of their ends. */
  const windows = new Map<string, Window>();

  function current(key: string, now: number): Window | undefined {
    const window = windows.get(key);
    if (window && window.endsAtMs > now) return window;
    windows.delete(key);
    return undefined;
  }

  function open(key: string, now: number): Window {
    for (const [oldest, { endsAtMs }] of windows) {
      if (endsAtMs > now && windows.size < maxKeys) break;
      windows.delete(oldest);
    }
    const window: Window = { used: 0, endsAtMs: now + RATE_WINDOW_SECONDS * 1000 };
    windows.set(key, window);
    return window;
  }

  return {
    take(key, quota) {
      const now = nowMs();
      const window = current(key, now) ?? open(key, now);
      const isAllowed = window.used < quota;
      if (isAllowed) window.used += 1;
      return stateOf(window, quota, isAllowed, now);
    },
    look(key, quota) {
      const now = nowMs();
      const window = current(key, now) ?? { used: 0, endsAtMs: now + RATE_WINDOW_SECONDS * 1000 };
      return stateOf(window, quota, window.used < quota, now);
    },
  };
}

function stateOf({ used, endsAtMs }: Window, quota: number, isAllowed: boolean, now: number): RateState {
  return {
    isAllowed,
    remaining: Math.max(0, quota - used),
    resetSeconds: Math.max(1, Math.ceil((endsAtMs - now) / 1000)),
  };
}
