/** `GET /api/status`, as far as the console reads it. */
import type { Readiness } from '../../api/shapes';

export interface ServiceStatus {
  readonly readiness: Readiness;
  readonly version: string;
  readonly node: string;
  readonly started_at: string;
  readonly uptime_seconds: number;
  readonly store: {
    readonly kind: 'duckdb' | 'clickhouse';
    readonly is_answering: boolean;
    readonly sources: number;
    readonly events: number | null;
    readonly bytes: number | null;
    readonly dead_letters: number | null;
    readonly waiting_bytes: number | null;
  };
  readonly disk: { readonly total_bytes: number; readonly used_bytes: number; readonly free_bytes: number } | null;
  readonly memory: {
    readonly service_bytes: number;
    readonly service_heap_bytes: number;
    readonly engine_bytes: number;
    readonly engine_limit_bytes: number;
  };
  readonly engine: {
    readonly is_ready: boolean;
    readonly is_restarting: boolean;
    readonly restarts: number;
    readonly kills: { readonly deadline: number; readonly memory: number };
    readonly running_calls: number;
    readonly waiting_calls: number;
  };
  readonly cache: {
    readonly entries: number;
    readonly bytes: number;
    readonly max_bytes: number;
    readonly warm: number;
    readonly evictions: number;
  };
  readonly queues: {
    readonly queries: Readonly<Record<string, { readonly running: number; readonly waiting: number }>>;
    readonly ingest: { readonly running: number; readonly waiting: number; readonly buffered_bytes: number };
  };
  readonly slowest_calls: readonly SlowCall[];
}

export interface SlowCall {
  readonly endpoint: { readonly id: string; readonly name: string };
  readonly kind: 'saved' | 'adhoc';
  readonly duration_ms: number;
  readonly rows: number | null;
  readonly status: number | null;
  readonly cached: boolean;
  readonly ended_at: string;
  readonly request_id: string;
  readonly token: { readonly id: string; readonly name: string } | null;
}
