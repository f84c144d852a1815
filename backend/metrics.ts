/** Metrics of the backend. Labels contain outcomes only, never an endpoint, a parameter or a text. */
import { performance } from 'node:perf_hooks';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  /** @param outcome `ok`, or the code of the failure */
  queryEnded(outcome: string, seconds: number): void;
  streamStarted(): () => void;
  text(): Promise<string>;
}

const PREFIX = 'logquery_plugin_';
/** Queries that are counted when the metrics are read, or when there are as many. */
const MAX_PENDING = 1_000;

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectProcessMetrics(registry);
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
  const pending: { readonly outcome: string; readonly seconds: number }[] = [];

  function countPending(): void {
    for (const { outcome, seconds } of pending.splice(0)) {
      queries.inc({ outcome });
      durations.observe(seconds);
    }
  }

  return {
    queryEnded: (outcome, seconds) => {
      pending.push({ outcome, seconds });
      if (pending.length === MAX_PENDING) countPending();
    },
    streamStarted: () => {
      streams.inc();
      return () => streams.dec();
    },
    text: () => {
      countPending();
      return registry.metrics();
    },
  };
}

/** Longer than most processes live. */
const NEVER_MS = 2 ** 31 - 1;
const SAMPLED_LAGS = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'];

/**
 * Metrics of Node, without those for which a timer would wake the idle process a hundred times a second: the time in
 * which the event loop is busy says as much.
 */
function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, prefix: PREFIX, eventLoopMonitoringPrecision: NEVER_MS });
  for (const lag of SAMPLED_LAGS) registry.removeSingleMetric(`${PREFIX}nodejs_eventloop_lag_${lag}_seconds`);
  new Counter({
    name: `${PREFIX}nodejs_eventloop_busy_seconds_total`,
    help: 'Time in which the event loop did not wait.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(performance.eventLoopUtilization().active / 1000);
    },
  });
}
