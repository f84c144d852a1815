/** Asks each question by hand and over HTTP on one data set, checks the rows, and says how far apart the times are. */
import { join } from 'node:path';
import type { Dataset } from '../../support/dataset';
import { ms, type Row } from '../../support/report';
import { runApart } from '../../support/run-apart';
import type { Service } from '../../support/service';
import { EXTRA_MS_BAR, RATIO_BAR, RUNS, WARM_UP_RUNS } from '../../support/settings';
import { summarize } from '../../support/statistics';
import { ensureSameRows } from './compare-rows';
import type { BestHandWritten, HandWrittenJob } from './hand-written';
import { QUESTIONS, type Question } from './questions';

/** Must run while no server has the file open. */
export function measureHandWritten(dataset: Dataset): Promise<BestHandWritten[]> {
  return runApart<HandWrittenJob, BestHandWritten[]>(join(__dirname, 'hand-written.js'), {
    file: dataset.file,
    tempDir: join(dataset.dataDir, 'temp'),
    nowMicros: Date.now() * 1000,
  });
}

export async function measureCalls(
  service: Service,
  dataset: Dataset,
  handWritten: readonly BestHandWritten[]
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const question of QUESTIONS) {
    const best = handWritten.find((each) => each.question === question.name) as BestHandWritten;
    rows.push(await measureQuestion(service, dataset, question, best));
  }
  return rows;
}

async function measureQuestion(
  { client }: Service,
  dataset: Dataset,
  question: Question,
  best: BestHandWritten
): Promise<Row> {
  const durationsMs: number[] = [];
  const shares = { plan: [] as number[], db: [] as number[], encode: [] as number[] };
  for (let run = 0; run < WARM_UP_RUNS + RUNS; run++) {
    const answer = await client.get(question.call);
    if (answer.status !== 200) throw new Error(`"${question.name}": ${answer.status} ${answer.body.toString('utf8')}`);
    ensureSameRows(question, best.rows, answer.body);
    if (run < WARM_UP_RUNS) continue;
    durationsMs.push(answer.durationMs);
    const timing = String(answer.headers['server-timing']);
    for (const [name, list] of Object.entries(shares)) list.push(serverTiming(timing, name));
  }
  const timing = summarize(durationsMs);
  const barMs = best.timing.medianMs * RATIO_BAR + EXTRA_MS_BAR;
  const parts = Object.fromEntries(Object.entries(shares).map(([name, list]) => [name, summarize(list).medianMs]));
  const rest = timing.medianMs - Object.values(parts).reduce((sum, part) => sum + part, 0);
  return {
    what: question.name,
    size: `${dataset.events / 1e6} M`,
    against: `${ms(best.timing.medianMs)} (${best.candidate})`,
    measured: `${ms(timing.medianMs)} (${(timing.medianMs / best.timing.medianMs).toFixed(2)}x)`,
    p95: ms(timing.p95Ms),
    bar: ms(barMs),
    isWithin: timing.medianMs <= barMs,
    detail: `plan ${ms(parts.plan as number)}, db ${ms(parts.db as number)}, encode ${ms(parts.encode as number)}, pipe and HTTP ${ms(rest)}`,
    figures: { handWritten: { ...best, rows: best.rows.length }, http: timing, parts, restMs: rest, barMs },
  };
}

function serverTiming(header: string, name: string): number {
  return Number(new RegExp(`(?:^|,\\s*)${name};dur=([0-9.]+)`).exec(header)?.[1] ?? 0);
}
