/** Prometheus metrics. Label values come from the service or the definitions only, never from a caller's text. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { BodyBudget } from '../http/bodies/body-budget';
import { type Lane, LANES } from '../admission/permits';
import type { Semaphore } from '../admission/semaphore';
import type { EngineClient } from '../engine/client';

export interface Metrics {
  readonly httpRequests: Counter<'route' | 'method' | 'code'>;
  readonly httpDuration: Histogram<'route' | 'method'>;
  readonly queryDuration: Histogram<'endpoint' | 'kind'>;
  readonly queryRows: Histogram<'endpoint' | 'kind'>;
  readonly redactions: Counter<'kind'>;
  readonly queryRejections: Counter<'rule'>;
  readonly queryTimeouts: Counter;
  readonly ingestEntries: Counter<'source' | 'outcome'>;
  readonly ingestBytes: Counter;
  readonly authFailures: Counter<'reason'>;
  /** Registry for parts with their own metrics, such as the cache. */
  readonly registry: Registry;
  readonly contentType: string;
  /** The text exposition format. */
  render(): Promise<string>;
}

export interface MeasuredParts {
  readonly runSlots: Semaphore;
  readonly ingestSlots: Semaphore;
  readonly bodyBudget: BodyBudget;
  readonly engine: EngineClient;
  readonly version: string;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const ROWS = [0, 1, 10, 100, 1000, 10_000];

export function createMetrics(parts: MeasuredParts): Metrics {
  const registry = new Registry();
  const registers = [registry];
  observeParts(registry, parts);
  return {
    httpRequests: new Counter({
      name: 'logquery_http_requests_total',
      help: 'Requests by route, method and status code; `aborted`: the caller left before an answer.',
      labelNames: ['route', 'method', 'code'],
      registers,
    }),
    httpDuration: new Histogram({
      name: 'logquery_http_request_duration_seconds',
      help: 'From the headers of a request to the end of its answer.',
      labelNames: ['route', 'method'],
      buckets: SECONDS,
      registers,
    }),
    queryDuration: new Histogram({
      name: 'logquery_query_duration_seconds',
      help: 'Runs of queries, waiting for a place included. An answer from the cache is no run.',
      labelNames: ['endpoint', 'kind'],
      buckets: SECONDS,
      registers,
    }),
    queryRows: new Histogram({
      name: 'logquery_query_rows',
      help: 'Rows of the results of runs.',
      labelNames: ['endpoint', 'kind'],
      buckets: ROWS,
      registers,
    }),
    redactions: new Counter({
      name: 'logquery_redactions_total',
      help: 'Texts that redaction replaced in the rows of runs, by kind. An answer from the cache is no run.',
      labelNames: ['kind'],
      registers,
    }),
    queryRejections: new Counter({
      name: 'logquery_query_rejections_total',
      help: 'Calls refused because of their query, by sandbox rule or error code.',
      labelNames: ['rule'],
      registers,
    }),
    queryTimeouts: new Counter({
      name: 'logquery_query_timeouts_total',
      help: 'Runs that passed their deadline.',
      registers,
    }),
    ingestEntries: new Counter({
      name: 'logquery_ingest_entries_total',
      help: 'Log events sent, by source and outcome.',
      labelNames: ['source', 'outcome'],
      registers,
    }),
    ingestBytes: new Counter({
      name: 'logquery_ingest_bytes_total',
      help: 'Bytes of ingest bodies, after inflating.',
      registers,
    }),
    authFailures: new Counter({
      name: 'logquery_auth_failures_total',
      help: 'Requests refused because of their access token.',
      labelNames: ['reason'],
      registers,
    }),
    registry,
    contentType: registry.contentType,
    render: () => registry.metrics(),
  };
}

/** Gauges that are read at each scrape. */
function observeParts(registry: Registry, { runSlots, ingestSlots, bodyBudget, engine, version }: MeasuredParts): void {
  const registers = [registry];
  const lanes = (name: string, help: string, read: (lane: Lane) => number): void =>
    void new Gauge({
      name,
      help,
      labelNames: ['lane'],
      registers,
      collect() {
        for (const lane of LANES) this.set({ lane }, read(lane));
      },
    });
  const gauge = (name: string, help: string, read: () => number): void =>
    void new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  lanes('logquery_queries_running', 'Queries that have a place.', (lane) => runSlots.runningIn(lane));
  lanes('logquery_queries_queued', 'Queries that wait for a place.', (lane) => runSlots.waitingIn(lane));
  gauge('logquery_ingests_running', 'Ingest batches that are decoded and stored.', () => ingestSlots.running);
  gauge('logquery_ingests_queued', 'Ingest batches that wait for a place.', () => ingestSlots.waiting);
  gauge('logquery_ingest_buffered_bytes', 'Bytes of ingest bodies in memory.', () => bodyBudget.bytes);
  gauge('logquery_engine_up', '1 while the engine process takes calls.', () => {
    const { ready, isRestarting } = engine.health();
    return ready && !isRestarting ? 1 : 0;
  });
  gauge(
    'logquery_engine_resident_memory_bytes',
    'Resident memory of the engine process.',
    () => engine.health().rssBytes
  );
  new Counter({
    name: 'logquery_engine_restarts_total',
    help: 'Times the engine process was started again.',
    registers,
    collect() {
      this.reset();
      this.inc(engine.health().restarts);
    },
  });
  new Counter({
    name: 'logquery_engine_kills_total',
    help: 'Engine processes that were ended because of a query, by cause.',
    labelNames: ['cause'],
    registers,
    collect() {
      const { deadline, memory } = engine.health().kills;
      this.reset();
      this.inc({ cause: 'deadline' }, deadline);
      this.inc({ cause: 'memory' }, memory);
    },
  });
  new Gauge({ name: 'logquery_build_info', help: 'The version that runs.', labelNames: ['version'], registers }).set(
    { version },
    1
  );
}
