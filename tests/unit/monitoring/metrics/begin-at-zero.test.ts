/** Counters of losses are there before the first loss: Prometheus sees no rise of a series that begins with it. */
import { Registry } from 'prom-client';
import { createSyslogMetrics } from '#server/ingest/syslog/listener-metrics';
import { observeSharedResults } from '#server/monitoring/metrics/observe-shared-results';

async function lines(registry: Registry): Promise<readonly string[]> {
  return (await registry.metrics()).split('\n').filter((line) => !line.startsWith('#'));
}

it('a syslog listener begins with 0 losses, for each reason', async () => {
  const registry = new Registry();
  const metrics = createSyslogMetrics(registry).of('switches');
  expect(await lines(registry)).toEqual(
    expect.arrayContaining([
      'logquery_syslog_lost_total{listener="switches",reason="queue_full"} 0',
      'logquery_syslog_lost_total{listener="switches",reason="rejected"} 0',
      'logquery_syslog_refused_connections_total{listener="switches",reason="limit"} 0',
      'logquery_syslog_cut_total{listener="switches"} 0',
      'logquery_syslog_connections{listener="switches"} 0',
    ])
  );
  metrics.noteLoss('rejected', 500);
  expect(await lines(registry)).toContain('logquery_syslog_lost_total{listener="switches",reason="rejected"} 500');
});

it('the shared cache begins with 0 lookups, for each outcome', async () => {
  const registry = new Registry();
  observeSharedResults(registry, { isUp: true, onEvent: () => undefined });
  expect(await lines(registry)).toEqual(
    expect.arrayContaining([
      'logquery_shared_cache_lookups_total{outcome="refused"} 0',
      'logquery_shared_cache_writes_total{outcome="oversize"} 0',
    ])
  );
});
