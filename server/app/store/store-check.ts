/** Caches the status of the store, so that frequent probes do not load the engine. */
import type { Clock } from '../../common/clock';
import type { EngineClient } from '../../engine/client/engine-client';
import type { IngestFault } from '../../stores/store';

export interface StoreCheck {
  /** @returns the last status while it is recent, or while the store is slow for a moment; else the current one */
  isUsable(): Promise<boolean>;
  /** Public reason of the last failure; null when the store was usable or gave no reason. */
  reason(): string | null;
  /** Why the store refused events at the last status; null: it took them, or is not usable. */
  ingestFault(): IngestFault | null;
  /** True when the store had met damaged files at the last status. */
  isDamaged(): boolean;
}

interface Status {
  readonly ok: boolean;
  readonly reason: string | null;
  readonly ingestFault: IngestFault | null;
  readonly isDamaged: boolean;
}

const NO_STATUS: Status = { ok: false, reason: null, ingestFault: null, isDamaged: false };

/**
 * A store that was usable within this time counts as usable even if it is slow: removing a busy server from service
 * overloads the others.
 */
const PATIENCE_MS = 10_000;
const REFRESH_MS = 1000;
/** Longest wait of a probe when no recent status is known. */
const FIRST_WAIT_MS = 900;
/** Longest wait for a newer status than the last: else rare probes would get that of the probe before. */
const NEWER_WAIT_MS = 200;

export function createStoreCheck(engine: EngineClient, clock: Clock): StoreCheck {
  let last: (Status & { readonly atMs: number }) | null = null;
  let pending: Promise<boolean> | null = null;

  async function queryStatus(): Promise<boolean> {
    const status = await engine.call('status', {}, { timeoutMs: PATIENCE_MS }).then(
      ({ ok, reason = null, ingestFault = null, isDamaged = false }) => ({ ok, reason, ingestFault, isDamaged }),
      () => NO_STATUS
    );
    last = { ...status, atMs: clock.monotonicMs() };
    pending = null;
    return status.ok;
  }

  return {
    reason: () => (last?.ok === false ? last.reason : null),
    ingestFault: () => (last?.ok === true ? last.ingestFault : null),
    isDamaged: () => last?.isDamaged === true,
    async isUsable() {
      const ageMs = last ? clock.monotonicMs() - last.atMs : Infinity;
      if (last && ageMs < REFRESH_MS) return last.ok;
      pending ??= queryStatus();
      const wasUsable = last?.ok === true && ageMs < PATIENCE_MS;
      return Promise.race([pending, after(wasUsable ? NEWER_WAIT_MS : FIRST_WAIT_MS, clock, wasUsable)]);
    },
  };
}

function after(delayMs: number, clock: Clock, value: boolean): Promise<boolean> {
  return new Promise((resolve) => clock.setTimer(() => resolve(value), delayMs));
}
