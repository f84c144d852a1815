/** Metrics of the cache: outcomes of calls and refreshes, and its size at each scrape. */
import { Counter, type Registry } from 'prom-client';
import { CACHE_OUTCOMES, type QueryCache } from '../../cache/query-cache';
import { WARM_OUTCOMES } from '../../cache/refresh-schedule';
import type { Definitions } from '../../catalog/definitions/definitions';
import { QuerySeries } from './query-series';
import { ScrapedMetrics } from './scraped-metrics';

export function observeCache(registry: Registry, queryCache: QueryCache, definitions: Pick<Definitions, 'find'>): void {
  const registers = [registry];
  const requestSeries = new QuerySeries(definitions, 'result', CACHE_OUTCOMES);
  const warmSeries = new QuerySeries(definitions, 'outcome', WARM_OUTCOMES);
  const requests = new Counter({
    name: 'logquery_cache_requests_total',
    help: 'Calls that were answered, by what the cache did.',
    labelNames: ['endpoint', 'result'],
    registers,
    collect() {
      requestSeries.removeDeleted(this);
    },
  });
  const warmRuns = new Counter({
    name: 'logquery_cache_warm_runs_total',
    help: 'Background runs by outcome; `shared`: taken over from another server; `skipped`: no permit, or another run was faster.',
    labelNames: ['endpoint', 'outcome'],
    registers,
    collect() {
      warmSeries.removeDeleted(this);
    },
  });
  queryCache.onEvent((event) => {
    (event.kind === 'request' ? requestSeries : warmSeries).note(event.endpoint);
    if (event.kind === 'request') requests.inc({ endpoint: event.endpoint, result: event.outcome });
    else warmRuns.inc({ endpoint: event.endpoint, outcome: event.outcome });
  });
  const scraped = new ScrapedMetrics(registry);
  scraped.gauge('logquery_cache_entries', 'Results in the cache.', () => queryCache.stats().entries);
  scraped.gauge('logquery_cache_bytes', 'Memory of the results in the cache.', () => queryCache.stats().bytes);
  scraped.gauge('logquery_cache_warm_entries', 'Results that are kept warm.', () => queryCache.stats().warm);
  scraped.counter(
    'logquery_cache_evictions_total',
    'Results that had to go before their time because the cache was full.',
    () => queryCache.stats().evictions
  );
}
