/** Stats of the store, requested at most every 15 s however often they are read. */
import type { Clock } from '../../common/clock';
import type { EngineClient } from '../../engine/client/engine-client';
import type { StoreStats } from '../../stores/store';

const REQUEST_INTERVAL_MS = 15_000;
/** Timeout: neither a scrape nor a request waits for a slow store. */
const TIMEOUT_MS = 3000;

export interface StoreStatsReading {
  readonly isUp: boolean;
  /**
   * Stats of the last successful request, which may be a while ago; null: none yet, or a store of this server alone.
   */
  readonly last: StoreStats | null;
}

export type StoreStatsReader = () => Promise<StoreStatsReading>;

export function createStoreStatsReader(engine: Pick<EngineClient, 'call'>, clock: Clock): StoreStatsReader {
  let latest: { readonly read: Promise<StoreStatsReading>; readonly atMs: number } | null = null;
  let last: StoreStats | null = null;

  async function requestStats(): Promise<StoreStatsReading> {
    try {
      last = await engine.call('stats', {}, { timeoutMs: TIMEOUT_MS });
      return { isUp: true, last };
    } catch {
      return { isUp: false, last };
    }
  }

  return () => {
    if (latest === null || clock.monotonicMs() - latest.atMs >= REQUEST_INTERVAL_MS) {
      latest = { read: requestStats(), atMs: clock.monotonicMs() };
    }
    return latest.read;
  };
}
