/** Metrics of the shared cache. */
import { Counter, type Registry } from 'prom-client';
import type { SharedResults } from '../../cache/shared-results';
import { ScrapedMetrics } from './scraped-metrics';

export function observeSharedResults(registry: Registry, shared: Pick<SharedResults, 'isUp' | 'onEvent'>): void {
  const registers = [registry];
  const counter = (name: string, help: string): Counter<'outcome'> =>
    new Counter({ name, help, labelNames: ['outcome'], registers });
  const lookups = counter(
    'logquery_shared_cache_lookups_total',
    'Results that were looked for; `refused`: what lay there was none of ours; `skipped`: it had failed just before.'
  );
  const writes = counter(
    'logquery_shared_cache_writes_total',
    'Results that were to be kept; `outdated`: purged since the run began.'
  );
  shared.onEvent(({ kind, outcome }) => (kind === 'lookup' ? lookups : writes).inc({ outcome }));
  new ScrapedMetrics(registry).gauge('logquery_shared_cache_up', '1 while the shared cache answers in time.', () =>
    shared.isUp ? 1 : 0
  );
}
