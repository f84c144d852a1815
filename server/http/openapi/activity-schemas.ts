/** Schemas of what the service says about itself. */
import type { JsonSchema } from './json-types';
import { COUNT, MAYBE_COUNT, objectOf, TIME } from './schema-parts';

const MILLISECONDS: JsonSchema = { type: ['number', 'null'], minimum: 0 };

const counts = (...names: readonly string[]): JsonSchema =>
  objectOf(Object.fromEntries(names.map((name) => [name, COUNT] as const)));

export const CALL_FIGURES: JsonSchema = objectOf({
  id: { type: 'string', format: 'uuid' },
  name: { type: 'string' },
  calls: { ...COUNT, description: 'Of the saved query itself.' },
  adhoc_calls: { ...COUNT, description: 'In its sandbox; durations leave them out.' },
  failed: COUNT,
  cached: COUNT,
  p50_ms: MILLISECONDS,
  p95_ms: MILLISECONDS,
  max_ms: MILLISECONDS,
  last_call_at: { type: ['string', 'null'], format: 'date-time' },
  cached_results: COUNT,
  warm_results: COUNT,
});

const SLOW_CALL: JsonSchema = objectOf({
  endpoint: objectOf({ id: { type: 'string' }, name: { type: 'string' } }),
  kind: { enum: ['saved', 'adhoc'] },
  duration_ms: { type: 'number' },
  rows: MAYBE_COUNT,
  status: { type: ['integer', 'null'], description: 'Null: the client left before an answer.' },
  cached: { type: 'boolean' },
  ended_at: TIME,
  request_id: { type: 'string' },
  token: {
    description: 'Null for tokens without `tokens:admin`.',
    type: ['object', 'null'],
    properties: { id: { type: 'string' }, name: { type: 'string' } },
  },
});

/** What is not as it should be is in `checks`. */
export const READINESS: JsonSchema = {
  type: 'object',
  required: ['status'],
  properties: { status: { enum: ['ok', 'degraded', 'unready'] }, checks: { type: 'object' } },
};

export const STATUS: JsonSchema = objectOf({
  readiness: { ...READINESS, required: ['status', 'checks'] },
  version: { type: 'string' },
  node: { type: 'string' },
  started_at: TIME,
  uptime_seconds: COUNT,
  store: objectOf({
    // Anyone may read this document: the names of the stores are not in it.
    kind: { type: 'string' },
    is_answering: { type: 'boolean' },
    sources: COUNT,
    events: MAYBE_COUNT,
    bytes: MAYBE_COUNT,
    dead_letters: MAYBE_COUNT,
    waiting_bytes: MAYBE_COUNT,
  }),
  disk: {
    type: ['object', 'null'],
    properties: { total_bytes: COUNT, used_bytes: COUNT, free_bytes: COUNT },
  },
  memory: counts('service_bytes', 'service_heap_bytes', 'engine_bytes', 'engine_limit_bytes'),
  engine: objectOf({
    is_ready: { type: 'boolean' },
    is_restarting: { type: 'boolean' },
    restarts: COUNT,
    kills: counts('deadline', 'memory'),
    running_calls: COUNT,
    waiting_calls: COUNT,
  }),
  cache: counts('entries', 'bytes', 'max_bytes', 'warm', 'evictions'),
  queues: objectOf({
    queries: { type: 'object', additionalProperties: counts('running', 'waiting') },
    ingest: counts('running', 'waiting', 'buffered_bytes'),
  }),
  slowest_calls: { type: 'array', items: SLOW_CALL },
});
