/** Metric of values that fields cannot hold, read from the engine at each scrape. */
import { Counter, type Registry } from 'prom-client';
import type { EngineClient } from '../../engine/client/engine-client';
import type { Misfits } from '../../engine/protocol/messages';

const TIMEOUT_MS = 3000;

/** While the engine does not answer, the last counts stay. */
export function observeMisfits(registry: Registry, engine: Pick<EngineClient, 'call'>): void {
  let last: Misfits = {};
  new Counter({
    name: 'logquery_ingest_misfits_total',
    help: 'Values of events that their field cannot hold, such as a text in a field of type INT64; they read as NULL.',
    labelNames: ['source'],
    registers: [registry],
    async collect() {
      last = await engine.call('misfits', {}, { timeoutMs: TIMEOUT_MS }).catch(() => last);
      this.reset();
      for (const [source, { values }] of Object.entries(last)) this.inc({ source }, values);
    },
  });
}
