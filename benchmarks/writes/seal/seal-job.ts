/** A job: asks questions of a store before, during and after its past days are sealed. */
import { cpSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { compile } from '#compiler';
import type { CompiledQuery } from '#compiler/output/compiled-query';
import { savedQuerySchema } from '#contract/queries/saved-query';
import { loadSources } from '#server/catalog/definitions/load-sources';
import { openDuckDbStore } from '#server/stores/duckdb/duckdb-store';
import type { LogStore, StoreRows } from '#server/stores/store';
import { serveJob } from '../../support/run-apart';
import { measureSearches, type SearchFigures } from './search';
import { MEMORY_LIMIT_MB, PROJECT } from '../../support/settings';

export interface SealJob {
  readonly from: string;
  readonly dataDir: string;
  readonly sourcesFile: string;
  readonly nowMicros: number;
}

export interface SealFigures {
  readonly questions: readonly { readonly name: string; readonly beforeMs: number; readonly afterMs: number }[];
  /** Over sealed days, with and without filters. */
  readonly searches: readonly SearchFigures[];
  readonly bytes: { readonly before: number; readonly after: number };
  readonly seal: { readonly events: number; readonly processorMs: number; readonly wallMs: number };
  /** 99th percentiles of small queries and batches. */
  readonly neighbors: { readonly alone: Latencies; readonly beside: Latencies };
}

interface WithFilters {
  readonly filters: { readonly settled: () => Promise<void> };
}

interface Latencies {
  readonly queryMs: number;
  readonly ingestMs: number;
}

const FILTER_BYTES = 16_777_216;
const RUNS = 11;
const ROUND_MS = 10_000;
const signal = new AbortController().signal;

serveJob<SealJob, SealFigures>(async ({ from, dataDir, sourcesFile, nowMicros }) => {
  rmSync(dataDir, { recursive: true, force: true });
  cpSync(from, dataDir, { recursive: true });
  const sources = loadSources(sourcesFile);
  const store = await openDuckDbStore({
    dataDir,
    sources,
    memoryLimitMb: MEMORY_LIMIT_MB,
    // Days that are sealed by themselves take one thread.
    threads: 1,
    searchFiltersMaxBytes: FILTER_BYTES,
    // The space is returned in a job of its own.
    leastFreeBytes: Infinity,
  });
  const small = await smallProject(store);
  const ask = questions(small);
  const before = await askAll(store, ask, nowMicros);
  const bytesBefore = await usedBytes(store);
  const { neighbors, seal } = await sealBeside(store, nowMicros);
  await (store as unknown as WithFilters).filters.settled();
  const after = await askAll(store, ask, nowMicros);
  const threeDaysAgo = new Date(nowMicros / 1000 - 3 * 86_400_000).toISOString();
  const searches = await measureSearches(store, (sql) => compiled(store, sql, nowMicros), threeDaysAgo);
  const bytesAfter = await usedBytes(store);
  await store.close();
  return {
    questions: ask.map(({ name }, i) => {
      if (before[i]!.rows !== after[i]!.rows) throw new Error(`"${name}" has other rows after the seal`);
      return { name, beforeMs: before[i]!.processorMs, afterMs: after[i]!.processorMs };
    }),
    searches,
    bytes: { before: bytesBefore, after: bytesAfter },
    seal,
    neighbors,
  };
});

/** Seals one day after the other, with a round without a seal before each: other programs may use the machine. */
async function sealBeside(store: LogStore, nowMicros: number): Promise<Pick<SealFigures, 'seal' | 'neighbors'>> {
  const [alone, beside] = [newTimes(), newTimes()];
  const seal = { events: 0, processorMs: 0, wallMs: 0 };
  for (let round = 0, isDone = false; !isDone; round++) {
    await measureNeighbors(store, delay(ROUND_MS), { label: `alone-${round}`, times: alone }, nowMicros);
    const started = { wall: performance.now(), processor: process.cpuUsage() };
    const sealed = store.sealing!.sealNext(signal).then((day) => {
      isDone = day === null;
      seal.events += day?.rows ?? 0;
    });
    await measureNeighbors(store, sealed, { label: `beside-${round}`, times: beside }, nowMicros);
    seal.processorMs += toMs(process.cpuUsage(started.processor));
    seal.wallMs += performance.now() - started.wall;
  }
  return { seal, neighbors: { alone: latencies(alone), beside: latencies(beside) } };
}

interface Times {
  readonly queries: number[];
  readonly batches: number[];
}

function newTimes(): Times {
  return { queries: [], batches: [] };
}

function latencies({ queries, batches }: Times): Latencies {
  return { queryMs: percentile(queries, 0.99), ingestMs: percentile(batches, 0.99) };
}

interface Question {
  readonly name: string;
  readonly sql: string;
}

const JOINS = `FROM edge_requests AS t CROSS JOIN UNNEST(t.metadata) AS md CROSS JOIN UNNEST(md.request) AS rq
  CROSS JOIN UNNEST(md.response) AS rs`;

function questions(small: string): readonly Question[] {
  const usage = (condition: string): string =>
    `SELECT TIMESTAMP_TRUNC(t.timestamp, DAY) AS day, COUNTIF(CONTAINS_SUBSTR(rq.path, '/rest')) AS rest, COUNT(*) AS n
     ${JOINS} WHERE ${condition} GROUP BY day ORDER BY day`;
  const words = (project: string): string =>
    `SELECT COUNT(*) AS n FROM edge_requests WHERE project = '${project}' AND event_message LIKE '%storage/v1/object%'`;
  const failed = (project: string): string =>
    `SELECT t.id, t.timestamp, t.event_message, t.metadata ${JOINS}
     WHERE t.project = '${project}' AND rs.status_code >= 500 ORDER BY t.timestamp DESC LIMIT 100`;
  return [
    { name: 'usage by URL, large project', sql: usage(`REGEXP_CONTAINS(rq.url, '${PROJECT}')`) },
    { name: 'usage by URL, small project', sql: usage(`REGEXP_CONTAINS(rq.url, '${small}')`) },
    { name: 'usage by tenant, large project', sql: usage(`t.project = '${PROJECT}'`) },
    { name: 'usage by tenant, small project', sql: usage(`t.project = '${small}'`) },
    { name: 'word in messages, large project', sql: words(PROJECT) },
    { name: 'word in messages, small project', sql: words(small) },
    { name: 'newest 100 failed, large project', sql: failed(PROJECT) },
    { name: 'newest 100 failed, small project', sql: failed(small) },
    {
      name: 'newest 100 of all',
      sql: 'SELECT id, timestamp, event_message, metadata FROM edge_requests ORDER BY timestamp DESC LIMIT 100',
    },
    {
      name: '100 of six hours, three days ago',
      sql: `SELECT id, timestamp, event_message, metadata FROM edge_requests
        WHERE timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 78 HOUR)
        AND timestamp < TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 72 HOUR) ORDER BY timestamp DESC LIMIT 100`,
    },
  ];
}

function compiled(store: LogStore, query: string, nowMicros: number): CompiledQuery {
  const definition = savedQuerySchema.parse({ id: '00000000-0000-4000-8000-000000000000', name: 'seal', query });
  const catalog = store.catalog();
  const facts = { adhoc: null, parameters: {}, maxRows: 1000, redaction: null, tenant: null };
  return compile({ ...facts, definition, catalog, nowMicros });
}

function run(store: LogStore, sql: string, nowMicros: number): Promise<StoreRows> {
  return store.execute(compiled(store, sql, nowMicros), signal);
}

async function smallProject(store: LogStore): Promise<string> {
  const sql = 'SELECT project, COUNT(*) AS n FROM edge_requests GROUP BY project ORDER BY n LIMIT 1';
  const project = (await run(store, sql, 0)).columns[0]?.[0];
  if (typeof project !== 'string') throw new Error('no event has a project');
  return project;
}

interface Asked {
  readonly rows: string;
  readonly processorMs: number;
}

async function askAll(store: LogStore, ask: readonly Question[], nowMicros: number): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  for (const { sql } of ask) {
    const query = compiled(store, sql, nowMicros);
    const times: number[] = [];
    let rows = '';
    for (let i = 0; i < RUNS; i++) {
      const since = process.cpuUsage();
      const { columns } = await store.execute(query, signal);
      times.push(toMs(process.cpuUsage(since)));
      rows = JSON.stringify(columns, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    }
    asked.push({ rows, processorMs: percentile(times, 0.5) });
  }
  return asked;
}

/** Asks small questions and sends small batches of the present, one after the other, until the work is done. */
async function measureNeighbors(
  store: LogStore,
  work: Promise<unknown>,
  { label, times }: { readonly label: string; readonly times: Times },
  nowMicros: number
): Promise<void> {
  let isDone = false;
  const ended = work.finally(() => (isDone = true));
  for (let n = 0; !isDone; n++) {
    const lines = Array.from({ length: 50 }, (_, i) =>
      JSON.stringify({ id: `${label}-${n}-${i}`, project: 'bench', metadata: { n } })
    );
    const body = Buffer.from(lines.join('\n'));
    const identity = { base: `${label}-${n}`, firstIndex: 0 };
    let since = performance.now();
    await store.ingest({ source: 'database', body, nowMicros, form: 'lines', identity, tenant: null });
    times.batches.push(performance.now() - since);
    await store.catchUp();
    since = performance.now();
    await run(
      store,
      `SELECT COUNT(*) AS n FROM edge_requests WHERE timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 HOUR)`,
      nowMicros
    );
    times.queries.push(performance.now() - since);
    await delay(20);
  }
  await ended;
}

async function usedBytes(store: LogStore): Promise<number> {
  const query = {
    ...compiled(store, 'SELECT COUNT(*) AS n FROM edge_requests', 0),
    sql: 'SELECT CAST(sum(used_blocks * block_size) AS BIGINT) FROM pragma_database_size()',
    values: [],
    reads: [],
    older: [],
  };
  return Number((await store.execute(query, signal)).columns[0]![0]);
}

function toMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
