/** Prometheus metrics. Label values come from the service or the definitions only, never from a caller's text. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Definitions } from '../../catalog/definitions/definitions';
import type { EngineClient } from '../../engine/client/engine-client';
import { type MeasuredAdmission, observeAdmission } from './observe-admission';
import { observeEngine } from './observe-engine';
import { QuerySeries } from './query-series';

export interface Metrics {
  readonly httpRequests: Counter<'route' | 'method' | 'code'>;
  readonly httpDuration: Histogram<'route' | 'method'>;
  readonly queryDuration: Histogram<'endpoint' | 'kind'>;
  readonly queryRows: Histogram<'endpoint' | 'kind'>;
  /** Series of `queryDuration` and `queryRows`. */
  readonly querySeries: QuerySeries;
  readonly redactions: Counter<'kind'>;
  readonly days: Counter<'from'>;
  readonly keptCountsBytes: Gauge;
  readonly searchedBlocks: Counter<'result'>;
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

export interface MeasuredParts extends MeasuredAdmission {
  readonly engine: EngineClient;
  readonly definitions: Pick<Definitions, 'find'>;
  readonly version: string;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const ROWS = [0, 1, 10, 100, 1000, 10_000];

export function createMetrics(parts: MeasuredParts): Metrics {
  const registry = new Registry();
  const registers = [registry];
  observeAdmission(registry, parts);
  observeEngine(registry, parts.engine);
  observeVersion(registry, parts.version);
  return {
    ...httpMetrics(registers),
    ...runMetrics(registers, new QuerySeries(parts.definitions, 'kind', ['saved', 'adhoc'])),
    ...queryMetrics(registers),
    ...ingestMetrics(registers),
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

function observeVersion(registry: Registry, version: string): void {
  const metric = { name: 'logquery_build_info', help: 'The version that runs.', labelNames: ['version'] };
  new Gauge({ ...metric, registers: [registry] }).set({ version }, 1);
}

function httpMetrics(registers: Registry[]): Pick<Metrics, 'httpRequests' | 'httpDuration'> {
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
  };
}

function runMetrics(
  registers: Registry[],
  querySeries: QuerySeries
): Pick<Metrics, 'queryDuration' | 'queryRows' | 'querySeries'> {
  const queryRows = new Histogram({
    name: 'logquery_query_rows',
    help: 'Rows of the results of runs.',
    labelNames: ['endpoint', 'kind'],
    buckets: ROWS,
    registers,
    collect() {
      querySeries.removeDeleted(queryDuration, this);
    },
  });
  const queryDuration = new Histogram({
    name: 'logquery_query_duration_seconds',
    help: 'Runs of queries, waiting for a permit included. An answer from the cache is no run.',
    labelNames: ['endpoint', 'kind'],
    buckets: SECONDS,
    registers,
  });
  return { queryDuration, queryRows, querySeries };
}

type QueryMetrics = 'redactions' | 'days' | 'keptCountsBytes' | 'searchedBlocks' | 'queryRejections' | 'queryTimeouts';

function queryMetrics(registers: Registry[]): Pick<Metrics, QueryMetrics> {
  return {
    redactions: new Counter({
      name: 'logquery_redactions_total',
      help: 'Texts that redaction replaced in the rows of runs, by kind. An answer from the cache is no run.',
      labelNames: ['kind'],
      registers,
    }),
    days: new Counter({
      name: 'logquery_query_days_total',
      help: 'Days of counts, by what they came from: events that were read, or counts that were kept.',
      labelNames: ['from'],
      registers,
    }),
    keptCountsBytes: new Gauge({
      name: 'logquery_kept_counts_bytes',
      help: 'Memory of the kept counts of days, after the last run that used them.',
      registers,
    }),
    searchedBlocks: new Counter({
      name: 'logquery_searched_blocks_total',
      help: 'Blocks of sealed days, of runs that searched for texts: read, or skipped by search filters.',
      labelNames: ['result'],
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
  };
}

function ingestMetrics(registers: Registry[]): Pick<Metrics, 'ingestEntries' | 'ingestBytes'> {
  return {
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
  };
}
