/**
 * The service over ClickHouse against hand-written SQL on the same engine, beside the service over DuckDB with the same
 * rows.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureSameRows } from '../../queries/end-to-end/compare-rows';
import type { Cell } from '../../queries/end-to-end/hand-written';
import { type Question, QUESTIONS } from '../../queries/end-to-end/questions';
import { type Dataset, prepareDataset } from '../../support/dataset';
import { ms, type Row } from '../../support/report';
import { type ServerScripts, type Service, startService } from '../../support/service';
import { CLICKHOUSE_RATIO_BAR, EXTRA_MS_BAR, RUNS, WARM_UP_RUNS } from '../../support/settings';
import { summarize, type Timing } from '../../support/statistics';
import { candidatesOf, type ClickHouseCandidate } from './candidates';
import { type Front, startFront } from './front';
import { measureInserts } from './inserts';
import { loadRows, makeTables } from './load';
import { measureLoadNeighbors } from './neighbors';

interface Best {
  readonly candidate: string;
  readonly timing: Timing;
  readonly rows: readonly (readonly Cell[])[];
}

export async function measureClickHouse(
  scripts: ServerScripts,
  root: string,
  cacheDir: string,
  sizes: readonly number[]
): Promise<Row[]> {
  const rows: Row[] = [];
  const folder = join(cacheDir, 'clickhouse');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const front = await startFront(root, join(folder, 'engine'));
  try {
    await makeTables(root, optionsOf(front, 'inserts'));
    await makeTables(root, optionsOf(front, 'by_hand'));
    const dataDir = join(folder, 'service');
    mkdirSync(dataDir);
    const service = await startService(scripts, dataDir, { env: environmentOf(front, 'inserts') });
    try {
      const inserts = await measureInserts(service, dataDir, front, root, optionsOf(front, 'by_hand'));
      inserts.push(...(await measureLoadNeighbors(service, dataDir)));
      for (const { what, measured, against, p95, detail } of inserts)
        console.log(`${what}: ${measured}, by hand ${against}, ${p95}, ${detail}`);
      rows.push(...inserts);
    } finally {
      await service.stop();
    }
    for (const millions of sizes) {
      const dataset = await prepareDataset(scripts, root, cacheDir, millions);
      console.log(`Loading ${millions} million events into ClickHouse ...`);
      await loadRows(root, front, optionsOf(front, `m${millions}`), dataset);
      rows.push(...(await measureSize(scripts, front, folder, dataset, `m${millions}`)));
    }
  } finally {
    await front.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return rows;
}

async function measureSize(
  scripts: ServerScripts,
  front: Front,
  folder: string,
  dataset: Dataset,
  database: string
): Promise<Row[]> {
  console.log(`Measuring ${dataset.events / 1e6} million events ...`);
  const best = new Map<string, Best>();
  for (const { name } of QUESTIONS) best.set(name, await measureHandWritten(front, database, name));
  const embedded = await timesOf(await startService(scripts, dataset.dataDir), best);
  const service = await startService(scripts, join(folder, 'service'), { env: environmentOf(front, database) });
  const measured = await timesOf(service, best);
  return QUESTIONS.map(({ name }) => {
    const { candidate, timing } = best.get(name) as Best;
    const [own, duckDb] = [measured.get(name) as Timing, embedded.get(name) as Timing];
    const barMs = timing.medianMs * CLICKHOUSE_RATIO_BAR + EXTRA_MS_BAR;
    return {
      what: `ClickHouse: ${name}`,
      size: `${dataset.events / 1e6} M`,
      against: `${ms(timing.medianMs)} (${candidate})`,
      measured: `${ms(own.medianMs)} (${(own.medianMs / timing.medianMs).toFixed(2)}x)`,
      p95: ms(own.p95Ms),
      bar: ms(barMs),
      isWithin: own.medianMs <= barMs,
      detail: `the same call over DuckDB: ${ms(duckDb.medianMs)}`,
      figures: { handWritten: { candidate, ...timing }, http: own, duckDb, barMs },
    };
  });
}

/**
 * The candidates take turns, so that a slow second of the machine falls on all of them. Each run has its own "now", as
 * calls have: ClickHouse keeps which granules a condition left out, and the very same condition again, of another
 * candidate too, is a quarter quicker.
 */
async function measureHandWritten(front: Front, database: string, question: string): Promise<Best> {
  const contestants = candidatesOf(question, 0).map(({ name }) => ({
    name,
    durationsMs: [] as number[],
    rows: [] as Cell[][],
  }));
  for (let run = 0; run < WARM_UP_RUNS + RUNS; run++) {
    const nowMicros = Date.now() * 1000;
    for (const [index, each] of contestants.entries()) {
      const { sql } = candidatesOf(question, nowMicros + index)[index] as ClickHouseCandidate;
      const startedAt = performance.now();
      each.rows = (await front.query(sql, database)) as Cell[][];
      if (run >= WARM_UP_RUNS) each.durationsMs.push(performance.now() - startedAt);
    }
  }
  const texts = new Set(contestants.map(({ rows }) => JSON.stringify(rows)));
  if (texts.size > 1) throw new Error(`the hand-written statements for "${question}" disagree`);
  const measured = contestants.map(({ name, durationsMs, rows }) => ({
    candidate: name,
    timing: summarize(durationsMs),
    rows,
  }));
  return measured.reduce((fastest, each) => (each.timing.medianMs < fastest.timing.medianMs ? each : fastest));
}

/** Stops the service afterwards. */
async function timesOf(service: Service, best: ReadonlyMap<string, Best>): Promise<ReadonlyMap<string, Timing>> {
  try {
    const times = new Map<string, Timing>();
    for (const question of QUESTIONS) {
      times.set(question.name, await timeOf(service, question, (best.get(question.name) as Best).rows));
    }
    return times;
  } finally {
    await service.stop();
  }
}

async function timeOf({ client }: Service, question: Question, expected: Best['rows']): Promise<Timing> {
  const durationsMs: number[] = [];
  for (let run = 0; run < WARM_UP_RUNS + RUNS; run++) {
    const answer = await client.get(question.call);
    if (answer.status !== 200) throw new Error(`"${question.name}": ${answer.status} ${answer.body.toString('utf8')}`);
    ensureSameRows(question, expected, answer.body);
    if (run >= WARM_UP_RUNS) durationsMs.push(answer.durationMs);
  }
  return summarize(durationsMs);
}

function optionsOf(front: Front, database: string) {
  const user = { name: 'default', password: '' };
  return { url: front.url, database, writer: user, reader: user, cluster: null };
}

function environmentOf(front: Front, database: string): Record<string, string> {
  return { LQE_STORE: 'clickhouse', LQE_CLICKHOUSE_URL: front.url, LQE_CLICKHOUSE_DATABASE: database };
}
