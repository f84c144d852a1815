/** Metrics of permits and request bodies, read at each scrape. */
import type { Registry } from 'prom-client';
import { LANES } from '../../admission/permits';
import type { Semaphore } from '../../admission/semaphore';
import type { BodyBudget } from '../../http/bodies/body-budget';
import { ScrapedMetrics } from './scraped-metrics';

export interface MeasuredAdmission {
  readonly runPermits: Semaphore;
  readonly ingestPermits: Semaphore;
  readonly bodyBudget: BodyBudget;
}

export function observeAdmission(
  registry: Registry,
  { runPermits, ingestPermits, bodyBudget }: MeasuredAdmission
): void {
  const metrics = new ScrapedMetrics(registry);
  metrics.gaugeBy('logquery_queries_running', 'Queries that have a permit.', 'lane', LANES, (lane) =>
    runPermits.runningIn(lane)
  );
  metrics.gaugeBy('logquery_queries_queued', 'Queries that wait for a permit.', 'lane', LANES, (lane) =>
    runPermits.waitingIn(lane)
  );
  metrics.gauge('logquery_ingests_running', 'Ingest batches that are decoded and stored.', () => ingestPermits.running);
  metrics.gauge('logquery_ingests_queued', 'Ingest batches that wait for a permit.', () => ingestPermits.waiting);
  metrics.gauge('logquery_ingest_buffered_bytes', 'Bytes of ingest bodies in memory.', () => bodyBudget.bytes);
}
