/**
 * Fixed-window rate limiter: requests per minute and key. A window starts with its first request; the oldest windows
 * are evicted to bound memory.
 */

export interface RateState {
  readonly isAllowed: boolean;
  /** Requests remaining in the window. */
  readonly remaining: number;
  /** Whole seconds until the next window starts, from 1 to 60. */
  readonly resetSeconds: number;
}

export interface RateLimiter {
  /** Counts one request if the quota allows it. @param quota requests per window */
  take(key: string, quota: number): RateState;
  /** Reads the state without counting. */
  look(key: string, quota: number): RateState;
}

export const RATE_WINDOW_SECONDS = 60;

interface Window {
  used: number;
  readonly endsAtMs: number;
}

/** @param nowMs milliseconds of a monotonic clock */
export function createRateLimiter(maxKeys: number, nowMs: () => number): RateLimiter {
  /** Windows ordered by start, and therefore also by end. */
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
    // The end minus its beginning may be a fraction of a microsecond more than the window.
    resetSeconds: Math.min(RATE_WINDOW_SECONDS, Math.max(1, Math.ceil((endsAtMs - now) / 1000))),
  };
}
