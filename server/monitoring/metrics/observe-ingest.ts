/** Metric of a store that refuses events. */
import { Gauge, type Registry } from 'prom-client';
import type { StoreCheck } from '../../app/store/store-check';

export function observeIngest(registry: Registry, check: StoreCheck): void {
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
}
