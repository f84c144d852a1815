/** Metrics of the shared cache. */
import { Counter, type Registry } from 'prom-client';
import { LOOKUP_OUTCOMES, type SharedResults, WRITE_OUTCOMES } from '../../cache/shared-results';
import { ScrapedMetrics } from './scraped-metrics';

export function observeSharedResults(registry: Registry, shared: Pick<SharedResults, 'isUp' | 'onEvent'>): void {
  const registers = [registry];
  const counter = (name: string, help: string, outcomes: readonly string[]): Counter<'outcome'> => {
    const made = new Counter({ name, help, labelNames: ['outcome'], registers });
    // Prometheus sees no rise of a series that begins with its first event.
    for (const outcome of outcomes) made.inc({ outcome }, 0);
    return made;
  };
  const lookups = counter(
    'logquery_shared_cache_lookups_total',
    'Results that were looked for; `refused`: what lay there was none of ours; `skipped`: it had failed just before.',
    LOOKUP_OUTCOMES
  );
  const writes = counter(
    'logquery_shared_cache_writes_total',
    'Results that were to be kept; `outdated`: purged since the run began.',
    WRITE_OUTCOMES
  );
  shared.onEvent(({ kind, outcome }) => (kind === 'lookup' ? lookups : writes).inc({ outcome }));
  new ScrapedMetrics(registry).gauge('logquery_shared_cache_up', '1 while the shared cache answers in time.', () =>
    shared.isUp ? 1 : 0
  );
}
