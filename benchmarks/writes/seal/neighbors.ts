/** Small calls of another tenant at fixed times, whatever else the store does. */
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '#contract/errors';
import type { CompiledQuery } from '#compiler/output/compiled-query';
import type { LogStore } from '#server/stores/store';
import { quantile } from '../../support/statistics';

const QUERY_EVERY_MS = 25;
const BATCH_EVERY_MS = 50;
const BATCH_EVENTS = 20;

export interface Times {
  readonly queries: number[];
  readonly batches: number[];
}

export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
}

export interface NeighborFigures {
  readonly query: Latency;
  readonly batch: Latency;
}

export interface Neighbor {
  readonly store: LogStore;
  /** Compiled by the state of the store at that time. */
  readonly query: () => CompiledQuery;
  readonly nowMicros: number;
  /** Differs from that of all others. */
  readonly label: string;
}

export function newTimes(): Times {
  return { queries: [], batches: [] };
}

export function latencies({ queries, batches }: Times): NeighborFigures {
  return { query: latency(queries), batch: latency(batches) };
}

/** Times count from when a call was due: one that waits for another one before it has waited, too. */
export async function callBeside(work: Promise<unknown>, neighbor: Neighbor, times: Times): Promise<void> {
  let isDone = false;
  const ended = work.finally(() => (isDone = true));
  const calls = async (everyMs: number, into: number[], call: (n: number) => Promise<unknown>): Promise<void> => {
    const running: Promise<unknown>[] = [];
    const startedAt = performance.now();
    for (let n = 0; !isDone; n++) {
      const dueAt = startedAt + n * everyMs;
      const wait = dueAt - performance.now();
      if (wait > 0) await delay(wait);
      running.push(call(n).then(() => into.push(performance.now() - dueAt)));
    }
    await Promise.all(running);
  };
  await Promise.all([
    ended,
    calls(QUERY_EVERY_MS, times.queries, () => ask(neighbor)),
    calls(BATCH_EVERY_MS, times.batches, (n) => send(neighbor, n)),
  ]);
}

/** Compiles again, as the engine does, when a day was sealed after the compilation. */
async function ask(neighbor: Neighbor, attempts = 4): Promise<void> {
  const { store, query } = neighbor;
  await store.catchUp();
  try {
    await store.execute(query(), new AbortController().signal);
  } catch (error) {
    const isSealed = error instanceof ServiceError && error.details.reason === 'schema_changed';
    if (!isSealed || attempts === 1) throw error;
    await ask(neighbor, attempts - 1);
  }
}

async function send({ store, nowMicros, label }: Neighbor, n: number): Promise<void> {
  const lines = Array.from({ length: BATCH_EVENTS }, (_, i) =>
    JSON.stringify({ id: `${label}-${n}-${i}`, project: 'neighbor', metadata: { n } })
  );
  const identity = { base: `${label}-${n}`, firstIndex: 0 };
  const body = Buffer.from(lines.join('\n'));
  await store.ingest({ source: 'database', body, nowMicros, form: 'lines', identity, tenant: null });
}

function latency(times: readonly number[]): Latency {
  const sorted = [...times].sort((a, b) => a - b);
  return { p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99), mostMs: quantile(sorted, 1) };
}
