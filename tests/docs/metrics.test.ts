import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestService } from '../support/servers/in-memory';
import { observeCatalog } from '#server/monitoring/metrics/observe-catalog';
import { observeConnections } from '#server/monitoring/metrics/observe-connections';
import { observeLog } from '#server/monitoring/metrics/observe-log';
import { observeSharedResults } from '#server/monitoring/metrics/observe-shared-results';
import { createSyslogMetrics } from '#server/ingest/syslog/listener-metrics';
import { observeStore } from '#server/monitoring/metrics/observe-store';
import { VERSION } from '#server/common/version';

const text = readFileSync(join(__dirname, '../../docs/operations.md'), 'utf8');

it('docs/operations.md lists the metrics with their labels, and no other', () => {
  const service = createTestService();
  observeSharedResults(service.ctx.metrics.registry, { isUp: true, onEvent: () => undefined });
  observeCatalog(service.ctx.metrics.registry, {
    state: () => ({ check: 'ok', ageMs: 0, revision: 1, revisionInForce: 1, isRefused: false, refused: 0 }),
  });
  observeStore(service.ctx.metrics.registry, service.ctx.storeStats);
  observeConnections(service.ctx.metrics.registry, () => ({ open: 0, max: 1, idle: 0, refused: 0 }));
  observeLog(service.ctx.metrics.registry, { dropped: 0 });
  const syslog = createSyslogMetrics(service.ctx.metrics.registry);
  syslog.observeWaiting(() => []);
  syslog.observeCertificates(() => []);
  const metrics = service.ctx.metrics.registry.getMetricsAsArray() as unknown as {
    name: string;
    labelNames: readonly string[];
  }[];
  service.close();
  const rows = text.split('\n').filter((line) => line.startsWith('| `logquery_'));
  const heads = rows.map((row) => row.split('|').slice(1, 3).join('|').trim()).sort();
  const expected = metrics.map(({ name, labelNames }) =>
    `\`${name}\` | ${labelNames.map((label) => `\`${label}\``).join(', ')}`.trim()
  );
  expect(heads).toEqual(expected.sort());
});

it('the metric of the version has the version of package.json', () => {
  const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string };
  expect(VERSION).toBe(version);
});
