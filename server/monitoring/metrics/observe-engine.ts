/** Metrics of the engine process, read at each scrape. */
import type { Registry } from 'prom-client';
import type { EngineClient } from '../../engine/client/engine-client';
import { ScrapedMetrics } from './scraped-metrics';

const KILL_CAUSES = ['deadline', 'memory'] as const;

export function observeEngine(registry: Registry, engine: Pick<EngineClient, 'health'>): void {
  const metrics = new ScrapedMetrics(registry);
  metrics.gauge('logquery_engine_up', '1 while the engine process takes calls.', () => {
    const { ready, isRestarting } = engine.health();
    return ready && !isRestarting ? 1 : 0;
  });
  metrics.gauge(
    'logquery_engine_resident_memory_bytes',
    'Resident memory of the engine process.',
    () => engine.health().rssBytes
  );
  metrics.counter(
    'logquery_engine_restarts_total',
    'Times the engine process was started again.',
    () => engine.health().restarts
  );
  metrics.counterBy(
    'logquery_engine_kills_total',
    'Engine processes that were ended because of a query, by cause.',
    'cause',
    KILL_CAUSES,
    (cause) => engine.health().kills[cause]
  );
}
