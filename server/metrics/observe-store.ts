/**
 * Metrics of a store that servers share. Its stats are requested at most every 15 s, however often they are scraped.
 */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Clock } from '../common/clock';
import type { EngineClient } from '../engine/client';
import type { StoreStats } from '../stores/store';

const REQUEST_INTERVAL_MS = 15_000;
/** Timeout: a scrape does not wait for a slow store. */
const TIMEOUT_MS = 3000;

export function observeStore(registry: Registry, engine: Pick<EngineClient, 'call'>, clock: Clock): void {
  const registers = [registry];
  const read = createStatsReader(engine, clock);
  new Gauge({
    name: 'logquery_store_up',
    help: '1 while the store answers.',
    registers,
    async collect() {
      this.set((await read()).isUp ? 1 : 0);
    },
  });
  new Gauge({
    name: 'logquery_store_dead_letters',
    help: 'Log events that the store refused and that are kept aside; all servers see the same.',
    labelNames: ['source'],
    registers,
    async collect() {
      const { last } = await read();
      this.reset();
      for (const [source, count] of Object.entries(last?.deadLetters ?? {})) this.set({ source }, count);
    },
  });
  new Counter({
    name: 'logquery_store_copies_total',
    help: 'Copies of log events that several servers stored in the same moment and this one found; `left`: could not be taken away.',
    labelNames: ['source', 'outcome'],
    registers,
    async collect() {
      const { last } = await read();
      this.reset();
      for (const [source, { withdrawn, left }] of Object.entries(last?.duplicates ?? {})) {
        this.inc({ source, outcome: 'withdrawn' }, withdrawn);
        this.inc({ source, outcome: 'left' }, left);
      }
    },
  });
  new Gauge({
    name: 'logquery_store_waiting_bytes',
    help: 'Of batches that are not stored yet.',
    registers,
    async collect() {
      this.set((await read()).last?.waitingBytes ?? 0);
    },
  });
}

interface StatsReading {
  readonly isUp: boolean;
  /** Stats of the last successful request, which may be a while ago. */
  readonly last: StoreStats | null;
}

function createStatsReader(engine: Pick<EngineClient, 'call'>, clock: Clock): () => Promise<StatsReading> {
  let latest: { readonly read: Promise<StatsReading>; readonly atMs: number } | null = null;
  let last: StoreStats | null = null;

  async function requestStats(): Promise<StatsReading> {
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
