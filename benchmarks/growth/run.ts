/** Processor time of a call, size and memory of a store, each by the number of events. */
import { statSync } from 'node:fs';
import type { Dataset } from '../support/dataset';
import { cpuSeconds, residentBytes } from '../support/processes';
import { megabytes, ms, type Row } from '../support/report';
import { startService, type ServerScripts, type Service } from '../support/service';
import { summarize } from '../support/statistics';
import { growthQuestions, type GrowthQuestion } from './questions';

export interface GrowthFigures {
  readonly events: number;
  readonly processorMs: number;
}

const WARM_UP_CALLS = 2;
const MAX_CALLS = 300;

/** @param processorSeconds of calls of one question: the system counts in hundredths of a second */
export async function measureGrowth(
  scripts: ServerScripts,
  dataset: Dataset,
  processorSeconds: number
): Promise<Row[]> {
  const service = await startService(scripts, dataset.dataDir);
  try {
    const rows: Row[] = [];
    for (const question of await growthQuestions(service.client, dataset.endMicros)) {
      rows.push(await measureQuestion(service, dataset, question, processorSeconds));
    }
    return [...rows, ...measureStore(service, dataset)];
  } finally {
    await service.stop();
  }
}

async function measureQuestion(
  service: Service,
  dataset: Dataset,
  question: GrowthQuestion,
  processorSeconds: number
): Promise<Row> {
  const used = (): number => cpuSeconds(service.serverPid) + cpuSeconds(service.enginePid);
  // Calls that differ are few, and none of them is warm.
  if (question.calls === undefined) for (let n = 0; n < WARM_UP_CALLS; n++) await ask(service, question, n);
  const durationsMs: number[] = [];
  const before = used();
  while (used() - before < processorSeconds && durationsMs.length < (question.calls ?? MAX_CALLS)) {
    durationsMs.push(await ask(service, question, durationsMs.length));
  }
  const processorMs = ((used() - before) * 1000) / durationsMs.length;
  const timing = summarize(durationsMs);
  const figures: GrowthFigures = { events: dataset.events, processorMs };
  return row(dataset, question.name, `${ms(processorMs)} processor`, {
    p95: ms(timing.p95Ms),
    detail: `median ${ms(timing.medianMs)} until the last byte, ${timing.runs} calls`,
    figures: { ...figures, timing },
  });
}

function measureStore(service: Service, dataset: Dataset): Row[] {
  const fileBytes = statSync(dataset.file).size;
  const memoryBytes = residentBytes(service.serverPid) + residentBytes(service.enginePid);
  return [
    row(dataset, 'store file', megabytes(fileBytes), { figures: { events: dataset.events, fileBytes } }),
    row(dataset, 'memory after the questions', megabytes(memoryBytes), {
      detail: 'server and engine',
      figures: { events: dataset.events, memoryBytes },
    }),
  ];
}

async function ask({ client }: Service, question: GrowthQuestion, n: number): Promise<number> {
  const answer = await client.get(question.call(n));
  const rows = Number(answer.headers['svc-endpoint-rows']);
  if (answer.status !== 200 || !(rows >= question.rows)) {
    throw new Error(`"${question.name}": ${answer.status} ${answer.body.toString('utf8').slice(0, 500)}`);
  }
  return answer.durationMs;
}

function row(dataset: Dataset, what: string, measured: string, facts: Partial<Row>): Row {
  const blank = { against: '', p95: '', bar: '', isWithin: null, detail: '', figures: {} };
  return { ...blank, what, size: `${dataset.events / 1e6} M`, measured, ...facts };
}
