/** Metrics of the connections of HTTP clients, read at each scrape. */
import type { Registry } from 'prom-client';
import type { ConnectionStats } from '../../http/connections/connections';
import { ScrapedMetrics } from './scraped-metrics';

export function observeConnections(registry: Registry, stats: () => ConnectionStats): void {
  const metrics = new ScrapedMetrics(registry);
  metrics.gauge('logquery_http_connections', 'Open connections of HTTP clients.', () => stats().open);
  metrics.gauge(
    'logquery_http_max_connections',
    'Connections that can be open: LQE_MAX_CONNECTIONS, or fewer where the process may open few files.',
    () => stats().max
  );
  metrics.counterBy(
    'logquery_http_connections_closed_total',
    'Connections closed because all were open: `idle`, for a new one; `refused`, the new one, since none was idle.',
    'reason',
    ['idle', 'refused'],
    (reason) => stats()[reason]
  );
}
