/** A job: what a neighbor notices of search filters in the making, and of space that is returned. */
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { compile } from '#compiler';
import type { CompiledQuery } from '#compiler/output/compiled-query';
import { savedQuerySchema } from '#contract/queries/saved-query';
import { loadSources } from '#server/catalog/definitions/load-sources';
import { boundFullCollections } from '#server/common/garbage-collection';
import { type DuckDbStoreOptions, openDuckDbStore } from '#server/stores/duckdb/duckdb-store';
import type { LogStore } from '#server/stores/store';
import { batches } from '../../support/dataset';
import { serveJob } from '../../support/run-apart';
import { MEMORY_LIMIT_MB } from '../../support/settings';
import { callBeside, latencies, type Neighbor, type NeighborFigures, newTimes } from './neighbors';

export interface BackgroundJob {
  /** Data folder with open days only. */
  readonly open: string;
  /** One whose past days were just sealed, and whose space was not returned. */
  readonly sealed: string;
  /** Folder of the job itself. */
  readonly dataDir: string;
  readonly sourcesFile: string;
  readonly nowMicros: number;
}

export interface WithAndWithout {
  readonly without: NeighborFigures;
  readonly with: NeighborFigures;
}

export interface BackgroundFigures {
  /** Filters of open days. */
  readonly filters: WithAndWithout;
  /** Filters by tenant of the sealed days, which the first search of a column asks for. */
  readonly byTenant: WithAndWithout;
  readonly space: WithAndWithout;
  /** Length of the rounds in which space was returned. */
  readonly returnMs: readonly number[];
}

/** Rounds are short and take turns: other programs may use the machine. */
const ROUNDS = 10;
const ROUND_MS = 3_000;
const START_MS = 1_000;
const PAUSE_BETWEEN_DAYS_MS = 250;
const FILTER_BYTES = 16_777_216;
/** Events of another tenant, sent all the time. */
const STEADY_BATCH_EVENTS = 250;
const STEADY_EVERY_MS = 100;
const SMALL_QUERY = `SELECT COUNT(*) AS n FROM edge_requests WHERE project = 'evergreentrailguides'
  AND timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 HOUR)`;
const URL_SEARCH = `SELECT COUNT(*) AS n FROM edge_requests AS t CROSS JOIN UNNEST(t.metadata) AS md
  CROSS JOIN UNNEST(md.request) AS rq WHERE STRPOS(rq.url, 'no-project-has-this-name') > 0`;
const signal = new AbortController().signal;

serveJob<BackgroundJob, BackgroundFigures>(async (job) => {
  // As the engine's process does.
  boundFullCollections();
  const filters = await besideFilters(job);
  const byTenant = await besideFiltersByTenant(job);
  return { filters, byTenant, ...(await besideReturn(job)) };
});

async function besideReturn(job: BackgroundJob): Promise<Pick<BackgroundFigures, 'space' | 'returnMs'>> {
  const space = { without: newTimes(), with: newTimes() };
  const returnMs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const store = await openCopy(job, job.sealed, { dataDir: job.dataDir });
    const neighbor = (label: string): Neighbor => neighborOf(store, job, `return-${label}-${round}`);
    // A start does other work for a moment.
    await callBeside(delay(START_MS), neighbor('start'), newTimes());
    await callBeside(delay(ROUND_MS), neighbor('without'), space.without);
    const since = performance.now();
    await callBeside(returnSpace(store), neighbor('with'), space.with);
    returnMs.push(performance.now() - since);
    await store.close();
  }
  rmSync(job.dataDir, { recursive: true, force: true });
  return { space: { without: latencies(space.without), with: latencies(space.with) }, returnMs };
}

async function besideFilters(job: BackgroundJob): Promise<WithAndWithout> {
  const { dataDir } = job;
  const times = { without: newTimes(), with: newTimes() };
  await (await openCopy(job, job.open, { dataDir })).close();
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of ['without', 'with'] as const) {
      // At a start every filter is missing, and making them takes longer than the round.
      const store = await openStore(job, { dataDir, searchFiltersMaxBytes: kind === 'with' ? FILTER_BYTES : 0 });
      const neighbor = (label: string): Neighbor => neighborOf(store, job, `filters-${kind}-${label}-${round}`);
      await callBeside(delay(START_MS), neighbor('start'), newTimes());
      await callBeside(sendSteadily(store, job, `${kind}-${round}`), neighbor('steady'), times[kind]);
      await store.close();
    }
  }
  rmSync(dataDir, { recursive: true, force: true });
  return { without: latencies(times.without), with: latencies(times.with) };
}

async function besideFiltersByTenant(job: BackgroundJob): Promise<WithAndWithout> {
  const { dataDir } = job;
  const times = { without: newTimes(), with: newTimes() };
  const options = { dataDir, searchFiltersMaxBytes: FILTER_BYTES };
  let store = await openCopy(job, job.sealed, options);
  const days = store.sealing!.state().sources.reduce((sum, { sealed }) => sum + sealed, 0);
  await until(() => filesOf(dataDir, '.grams').length >= days);
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of ['without', 'with'] as const) {
      await store.close();
      for (const file of filesOf(dataDir, '.values')) rmSync(file);
      store = await openStore(job, options);
      const neighbor = (label: string): Neighbor => neighborOf(store, job, `tenants-${kind}-${label}-${round}`);
      await callBeside(delay(START_MS), neighbor('start'), newTimes());
      if (kind === 'with') await store.execute(neighborOf(store, job, 'search', URL_SEARCH).query(), signal);
      const isMade = (): boolean => kind === 'with' && filesOf(dataDir, '.values').length >= days;
      await callBeside(until(isMade, ROUND_MS), neighbor('round'), times[kind]);
    }
  }
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
  return { without: latencies(times.without), with: latencies(times.with) };
}

function filesOf(dataDir: string, suffix: string): readonly string[] {
  const folder = join(dataDir, 'search');
  return existsSync(folder)
    ? readdirSync(folder).flatMap((name) => (name.endsWith(suffix) ? join(folder, name) : []))
    : [];
}

async function until(isTrue: () => boolean, mostMs = Infinity): Promise<void> {
  const since = performance.now();
  while (!isTrue() && performance.now() - since < mostMs) await delay(50);
}

type OpenOptions = Pick<DuckDbStoreOptions, 'dataDir' | 'searchFiltersMaxBytes'>;

function openCopy(job: BackgroundJob, from: string, options: OpenOptions): Promise<LogStore> {
  const { dataDir } = options;
  rmSync(dataDir, { recursive: true, force: true });
  cpSync(from, dataDir, { recursive: true });
  return openStore(job, options);
}

function openStore({ sourcesFile }: BackgroundJob, options: OpenOptions): Promise<LogStore> {
  // Work in the background takes one thread.
  const limits = { memoryLimitMb: MEMORY_LIMIT_MB, threads: 1 };
  return openDuckDbStore({ ...limits, ...options, sources: loadSources(sourcesFile) });
}

function neighborOf(store: LogStore, { nowMicros }: BackgroundJob, label: string, query = SMALL_QUERY): Neighbor {
  const facts = { adhoc: null, parameters: {}, maxRows: 1000, redaction: null, tenant: null };
  const definition = savedQuerySchema.parse({
    id: '00000000-0000-4000-8000-000000000000',
    name: 'neighbor',
    query,
  });
  const compileNow = (): CompiledQuery => compile({ ...facts, definition, catalog: store.catalog(), nowMicros });
  return { store, query: compileNow, nowMicros, label };
}

/** With the pauses of a store that does it by itself. */
async function returnSpace(store: LogStore): Promise<void> {
  while ((await store.sealing!.sealNext(signal)) !== null) await delay(PAUSE_BETWEEN_DAYS_MS);
}

async function sendSteadily(store: LogStore, { nowMicros }: BackgroundJob, label: string): Promise<void> {
  const count = ROUND_MS / STEADY_EVERY_MS;
  // All of them are events of the last hour.
  const micros = (n: number): number => nowMicros - n * 1000;
  const events = [...batches(nowMicros, count * STEADY_BATCH_EVENTS, 1000)].flatMap((lines) =>
    lines.toString('utf8').split('\n')
  );
  const startedAt = performance.now();
  for (let n = 0; n < count; n++) {
    const wait = startedAt + n * STEADY_EVERY_MS - performance.now();
    if (wait > 0) await delay(wait);
    const lines = events
      .slice(n * STEADY_BATCH_EVENTS, (n + 1) * STEADY_BATCH_EVENTS)
      .map((line, i) =>
        line.replace(/"timestamp":("[^"]*"|\d+)/, `"timestamp":${micros(n * STEADY_BATCH_EVENTS + i)}`)
      );
    const identity = { base: `steady-${label}-${n}`, firstIndex: 0 };
    const body = Buffer.from(lines.join('\n'));
    await store.ingest({ source: 'edge_requests', body, nowMicros, form: 'lines', identity, tenant: null });
  }
}
