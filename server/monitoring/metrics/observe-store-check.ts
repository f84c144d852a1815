/** Metrics of a store that refuses events, or has damaged files. */
import { Gauge, type Registry } from 'prom-client';
import type { StoreCheck } from '../../app/store/store-check';

export function observeStoreCheck(registry: Registry, check: StoreCheck): void {
  new Gauge({
    name: 'logquery_store_ingest_fault',
    help: '1 while the store refuses events, by reason; no series: it takes them.',
    labelNames: ['reason'],
    registers: [registry],
    async collect() {
      await check.isUsable();
      this.reset();
      const fault = check.ingestFault();
      if (fault !== null) this.set({ reason: fault }, 1);
    },
  });
  new Gauge({
    name: 'logquery_store_damaged',
    help: '1 once a block of the embedded store could not be read since the engine was started.',
    registers: [registry],
    async collect() {
      await check.isUsable();
      this.set(check.isDamaged() ? 1 : 0);
    },
  });
}
