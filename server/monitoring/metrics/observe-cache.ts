/** Metrics of the cache: outcomes of calls and refreshes, and its size at each scrape. */
import { Counter, type Registry } from 'prom-client';
import type { QueryCache } from '../../cache/query-cache';
import { ScrapedMetrics } from './scraped-metrics';

export function observeCache(registry: Registry, runs: QueryCache): void {
  const registers = [registry];
  const requests = new Counter({
    name: 'logquery_cache_requests_total',
    help: 'Calls that were answered, by what the cache did.',
    labelNames: ['endpoint', 'result'],
    registers,
  });
  const warmRuns = new Counter({
    name: 'logquery_cache_warm_runs_total',
    help: 'Background runs by outcome; `shared`: taken over from another server; `skipped`: no place, or another run was faster.',
    labelNames: ['endpoint', 'outcome'],
    registers,
  });
  runs.onEvent((event) => {
    if (event.kind === 'request') requests.inc({ endpoint: event.endpoint, result: event.outcome });
    else warmRuns.inc({ endpoint: event.endpoint, outcome: event.outcome });
  });
  const scraped = new ScrapedMetrics(registry);
  scraped.gauge('logquery_cache_entries', 'Results in the cache.', () => runs.stats().entries);
  scraped.gauge('logquery_cache_bytes', 'Memory of the results in the cache.', () => runs.stats().bytes);
  scraped.gauge('logquery_cache_warm_entries', 'Results that are kept warm.', () => runs.stats().warm);
  scraped.counter(
    'logquery_cache_evictions_total',
    'Results that had to go before their time because the cache was full.',
    () => runs.stats().evictions
  );
}
