/** What sealing past days gains, costs, and does to calls beside it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Dataset } from '../../support/dataset';
import { grouped, megabytes, ms, type Row } from '../../support/report';
import { runApart } from '../../support/run-apart';
import { SEAL_NEIGHBORS_BAR, SEAL_QUESTIONS_BAR } from '../../support/settings';
import type { BackgroundFigures, BackgroundJob, WithAndWithout } from './background-job';
import type { NeighborFigures } from './neighbors';
import type { SealFigures, SealJob } from './seal-job';

export async function measureSeal(root: string, cacheDir: string, dataset: Dataset): Promise<Row[]> {
  const sealed = join(cacheDir, 'seal');
  const facts = { sourcesFile: join(root, 'sources.yaml'), nowMicros: dataset.endMicros };
  const { questions, searches, bytes, seal, neighbors } = await runApart<SealJob, SealFigures>(
    join(__dirname, 'seal-job.js'),
    { ...facts, from: dataset.dataDir, dataDir: sealed }
  );
  const background = await runApart<BackgroundJob, BackgroundFigures>(join(__dirname, 'background-job.js'), {
    ...facts,
    open: dataset.dataDir,
    sealed,
    dataDir: join(cacheDir, 'seal-background'),
  });
  rmSync(sealed, { recursive: true, force: true });
  const row = rowsOf(`${dataset.events / 1e6} M`);
  return [
    ...questions.map((question) => sealedQuestion(row, question)),
    ...searches.map((search) => filteredSearch(row, search)),
    row({
      what: 'sealed days: size',
      against: `${megabytes(bytes.before)} (open days)`,
      measured: megabytes(bytes.after),
      figures: bytes,
    }),
    row({
      what: 'sealing, processor time of an event',
      measured: `${((seal.processorMs * 1000) / seal.events).toFixed(1)} us`,
      detail: `${grouped(seal.events)} events in ${(seal.wallMs / 1000).toFixed(0)} s with pauses; with the calls beside it`,
      figures: seal,
    }),
    besideSeal(row, 'a small query beside a seal, p99', neighbors, 'queryMs'),
    besideSeal(row, 'a batch beside a seal, p99', neighbors, 'ingestMs'),
    ...beside(row, 'search filters of open days in the making', background.filters),
    ...beside(row, 'filters by tenant in the making', background.byTenant),
    ...beside(row, 'space that is returned', background.space),
  ];
}

type SealedLatency = keyof SealFigures['neighbors']['alone'];

type RowOf = (facts: Pick<Row, 'what' | 'measured'> & Partial<Row>) => Row;

const rowsOf =
  (size: string): RowOf =>
  (facts) => ({ size, against: '', p95: '', bar: '', isWithin: null, detail: '', figures: {}, ...facts });

function besideSeal(row: RowOf, what: string, neighbors: SealFigures['neighbors'], key: SealedLatency): Row {
  const ratio = neighbors.beside[key] / neighbors.alone[key];
  return row({
    what,
    against: `${ms(neighbors.alone[key])} (without)`,
    measured: `${ms(neighbors.beside[key])} (${ratio.toFixed(2)}x)`,
    bar: `${SEAL_NEIGHBORS_BAR}x`,
    isWithin: ratio <= SEAL_NEIGHBORS_BAR,
    figures: { neighbors },
  });
}

function sealedQuestion(row: RowOf, { name, beforeMs, afterMs }: SealFigures['questions'][number]): Row {
  return row({
    what: `sealed days: ${name}`,
    against: `${ms(beforeMs)} (open days)`,
    measured: `${ms(afterMs)} (${(afterMs / beforeMs).toFixed(2)}x)`,
    bar: `${SEAL_QUESTIONS_BAR}x`,
    isWithin: afterMs <= beforeMs * SEAL_QUESTIONS_BAR,
    detail: 'processor time, median',
    figures: { beforeMs, afterMs },
  });
}

function filteredSearch(row: RowOf, { name, withMs, withoutMs, bar }: SealFigures['searches'][number]): Row {
  return row({
    what: `search filters: ${name}`,
    against: `${ms(withoutMs)} (without)`,
    measured: `${ms(withMs)} (${(withMs / withoutMs).toFixed(2)}x)`,
    bar: `${bar}x`,
    isWithin: withMs <= withoutMs * bar,
    detail: 'processor time, median; the last day is open',
    figures: { withMs, withoutMs },
  });
}

function beside(row: RowOf, what: string, figures: WithAndWithout): Row[] {
  return (['query', 'batch'] as const).map((key: keyof NeighborFigures) => {
    const [without, own] = [figures.without[key], figures.with[key]];
    const ratio = own.p99Ms / without.p99Ms;
    return row({
      what: `a small ${key} beside ${what}, p99`,
      against: `${ms(without.p99Ms)} (without)`,
      measured: `${ms(own.p99Ms)} (${ratio.toFixed(2)}x)`,
      bar: `${SEAL_NEIGHBORS_BAR}x`,
      isWithin: ratio <= SEAL_NEIGHBORS_BAR,
      detail: `median ${ms(without.p50Ms)} and ${ms(own.p50Ms)}, longest ${ms(without.mostMs)} and ${ms(own.mostMs)}`,
      figures: { without, with: own },
    });
  });
}
