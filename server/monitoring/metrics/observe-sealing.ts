/** Metrics of sealing: how many days are sealed, and whether one is being sealed. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { SealState } from '#contract/control';
import type { EngineClient } from '../../engine/client/engine-client';

/** Timeout: a scrape does not wait for a slow store. */
const TIMEOUT_MS = 3000;

/** While the engine does not answer, the last counts stay: a counter that falls to 0 rises again by all of them. */
export function observeSealing(registry: Registry, engine: Pick<EngineClient, 'call'>): void {
  const registers = [registry];
  let last: SealState | null = null;
  let reading: Promise<SealState | null> | null = null;
  /** One call for the metrics of a scrape. */
  const read = (): Promise<SealState | null> => {
    reading ??= engine
      .call('sealing', {}, { timeoutMs: TIMEOUT_MS })
      .then(
        (state) => (last = state),
        () => last && { ...last, running: null }
      )
      .finally(() => (reading = null));
    return reading;
  };
  new Gauge({
    name: 'logquery_store_days',
    help: 'Days with events, by source; `open`: they have events that are not sealed.',
    labelNames: ['source', 'state'],
    registers,
    async collect() {
      const state = await read();
      this.reset();
      for (const { source, days, sealed } of state?.sources ?? []) {
        this.set({ source, state: 'sealed' }, sealed);
        this.set({ source, state: 'open' }, days - sealed);
      }
    },
  });
  new Gauge({
    name: 'logquery_store_sealing_rows',
    help: 'Rows of the day that is being sealed which are copied; 0: no day is being sealed.',
    registers,
    async collect() {
      this.set((await read())?.running?.rows ?? 0);
    },
  });
  new Gauge({
    name: 'logquery_store_seal_fault',
    help: '1 while the last attempt to seal a day of the source failed, by reason.',
    labelNames: ['source', 'reason'],
    registers,
    async collect() {
      const state = await read();
      this.reset();
      for (const { source, fault } of state?.sources ?? []) if (fault !== null) this.set({ source, reason: fault }, 1);
    },
  });
  new Counter({
    name: 'logquery_store_seal_failures_total',
    help: 'Attempts to seal a day that failed since the engine process was started.',
    registers,
    async collect() {
      const state = await read();
      this.reset();
      this.inc(state?.failures ?? 0);
    },
  });
}
