/** Whether the store answers, asked now and then and told at once: probes cost the engine nothing, however many come. */
import type { Clock } from '../clock';
import type { EngineClient } from '../engine/client';

export interface StoreCheck {
  /** @returns what was last known, when that is recent; else what the store says now. */
  isUsable(): Promise<boolean>;
  /** Why the store was last found unusable, in words for anybody; null: it was usable, or gave no reason. */
  reason(): string | null;
}

/** Within this time a busy store is a usable one: to take a busy server out of service makes the others busier. */
const PATIENCE_MS = 10_000;
const ASK_EVERY_MS = 1000;
/** What a prober waits for when nothing recent is known. */
const FIRST_WAIT_MS = 900;

export function createStoreCheck(engine: EngineClient, clock: Clock): StoreCheck {
  let last: { readonly ok: boolean; readonly reason: string | null; readonly atMs: number } | null = null;
  let asking: Promise<boolean> | null = null;

  async function ask(): Promise<boolean> {
    const { ok, reason } = await engine.call('status', {}, { timeoutMs: PATIENCE_MS }).then(
      (status) => ({ ok: status.ok, reason: status.reason ?? null }),
      () => ({ ok: false, reason: null })
    );
    last = { ok, reason, atMs: clock.monotonicMs() };
    asking = null;
    return ok;
  }

  return {
    reason: () => (last?.ok === false ? last.reason : null),
    async isUsable() {
      const ageMs = last ? clock.monotonicMs() - last.atMs : Infinity;
      if (ageMs >= ASK_EVERY_MS) asking ??= ask();
      if (last && (ageMs < ASK_EVERY_MS || (last.ok && ageMs < PATIENCE_MS))) return last.ok;
      return Promise.race([asking ?? ask(), after(FIRST_WAIT_MS, clock)]);
    },
  };
}

function after(delayMs: number, clock: Clock): Promise<false> {
  return new Promise((resolve) => clock.setTimer(() => resolve(false), delayMs));
}
