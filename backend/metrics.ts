/** Metrics of the backend. Labels contain outcomes only, never an endpoint, a parameter or a text. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  /** @param outcome `ok`, or the code of the failure */
  queryEnded(outcome: string, seconds: number): void;
  streamStarted(): () => void;
  text(): Promise<string>;
}

const PREFIX = 'logquery_plugin_';

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: PREFIX });
  const queries = new Counter({
    name: `${PREFIX}queries_total`,
    help: 'Queries answered, by outcome.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: `${PREFIX}query_duration_seconds`,
    help: 'Time from a query to its frame.',
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [registry],
  });
  const streams = new Gauge({ name: `${PREFIX}streams`, help: 'Live tails that run.', registers: [registry] });
  return {
    queryEnded: (outcome, seconds) => {
      queries.inc({ outcome });
      durations.observe(seconds);
    },
    streamStarted: () => {
      streams.inc();
      return () => streams.dec();
    },
    text: () => registry.metrics(),
  };
}
