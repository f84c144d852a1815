/** Processor time of a call, size and memory of a store, each by the number of events. */
import { untilAtRest } from '../../support/at-rest';
import type { Dataset } from '../../support/dataset';
import { measureCalls } from '../../support/measure-calls';
import { bytesBelow, cpuSeconds, residentBytes } from '../../support/processes';
import { megabytes, ms, type Row } from '../../support/report';
import { startService, type ServerScripts, type Service } from '../../support/service';
import { growthQuestions, type GrowthQuestion, rareWord, SEARCH_OF_URLS } from './questions';

export interface GrowthFigures {
  readonly events: number;
  readonly processorMs: number;
}

/** @param processorSeconds of calls of one question: the system counts in hundredths of a second */
export async function measureGrowth(
  scripts: ServerScripts,
  dataset: Dataset,
  processorSeconds: number
): Promise<Row[]> {
  const service = await startService(scripts, dataset.dataDir);
  try {
    const pids = [service.serverPid, service.enginePid];
    await untilAtRest(pids);
    await service.client.get(SEARCH_OF_URLS);
    await untilAtRest(pids);
    const rows: Row[] = [];
    const word = await rareWord(service.client, dataset.endMicros);
    for (const question of growthQuestions(word, dataset.endMicros)) {
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
  const { processorMs, timing } = await measureCalls((n) => ask(service, question, n), {
    used: () => cpuSeconds(service.serverPid) + cpuSeconds(service.enginePid),
    processorSeconds,
    calls: question.calls,
  });
  const figures: GrowthFigures = { events: dataset.events, processorMs };
  return row(dataset, question.name, `${ms(processorMs)} processor`, {
    p95: ms(timing.p95Ms),
    detail: `median ${ms(timing.medianMs)} until the last byte, ${timing.runs} calls`,
    figures: { ...figures, timing },
  });
}

function measureStore(service: Service, dataset: Dataset): Row[] {
  const fileBytes = bytesBelow(dataset.dataDir);
  const memoryBytes = residentBytes(service.serverPid, service.enginePid);
  return [
    row(dataset, 'store files', megabytes(fileBytes), { figures: { events: dataset.events, fileBytes } }),
    row(dataset, 'memory after the questions', megabytes(memoryBytes), {
      detail: 'server and engine',
      figures: { events: dataset.events, memoryBytes },
    }),
  ];
}

export async function ask({ client }: Pick<Service, 'client'>, question: GrowthQuestion, n: number): Promise<number> {
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
