/** Caches the status of the store, so that frequent probes do not load the engine. */
import type { Clock } from '../../common/clock';
import type { EngineClient } from '../../engine/client/engine-client';

export interface StoreCheck {
  /** @returns the last status while it is recent, else the current one */
  isUsable(): Promise<boolean>;
  /** Public reason of the last failure; null when the store was usable or gave no reason. */
  reason(): string | null;
}

/**
 * A store that was usable within this time counts as usable even if it is slow: removing a busy server from service
 * overloads the others.
 */
const PATIENCE_MS = 10_000;
const REFRESH_MS = 1000;
/** Longest wait of a probe when no recent status is known. */
const FIRST_WAIT_MS = 900;

export function createStoreCheck(engine: EngineClient, clock: Clock): StoreCheck {
  let last: { readonly ok: boolean; readonly reason: string | null; readonly atMs: number } | null = null;
  let pending: Promise<boolean> | null = null;

  async function queryStatus(): Promise<boolean> {
    const { ok, reason } = await engine.call('status', {}, { timeoutMs: PATIENCE_MS }).then(
      (status) => ({ ok: status.ok, reason: status.reason ?? null }),
      () => ({ ok: false, reason: null })
    );
    last = { ok, reason, atMs: clock.monotonicMs() };
    pending = null;
    return ok;
  }

  return {
    reason: () => (last?.ok === false ? last.reason : null),
    async isUsable() {
      const ageMs = last ? clock.monotonicMs() - last.atMs : Infinity;
      if (ageMs >= REFRESH_MS) pending ??= queryStatus();
      if (last && (ageMs < REFRESH_MS || (last.ok && ageMs < PATIENCE_MS))) return last.ok;
      return Promise.race([pending ?? queryStatus(), after(FIRST_WAIT_MS, clock)]);
    },
  };
}

function after(delayMs: number, clock: Clock): Promise<false> {
  return new Promise((resolve) => clock.setTimer(() => resolve(false), delayMs));
}
