/** Metrics of a store that servers share. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { StoreStatsReader } from '../../app/store/store-stats';

export function observeStore(registry: Registry, read: StoreStatsReader): void {
  const registers = [registry];
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
