/** Processor time of a dashboard's counts over a week, asked first and again, with kept counts of days and without. */
import type { Dataset } from '../../support/dataset';
import { cpuSeconds } from '../../support/processes';
import { ms, type Row } from '../../support/report';
import { type ServerScripts, type Service, startService } from '../../support/service';
import { AGAIN_SHARE_BAR, EXTRA_MS_BAR, PROJECT } from '../../support/settings';

const CALLS = 30;
/** A pattern that no request has: what remains is the same for the smallest project. */
const NO_PROJECT = 'no-such-project';

interface Measured {
  readonly firstMs: number;
  readonly againMs: number;
  readonly days: string;
}

/** Must run while no server has the file open. */
export async function measureKeptCounts(scripts: ServerScripts, dataset: Dataset): Promise<Row[]> {
  const rows: Row[] = [];
  const plain = await measureBoth(scripts, dataset, { LQE_KEPT_COUNTS_MAX_BYTES: '0' });
  const kept = await measureBoth(scripts, dataset, {});
  for (const [index, project] of PROJECTS.entries()) {
    const [without, own] = [plain[index]!, kept[index]!];
    const barMs = without.againMs * AGAIN_SHARE_BAR + EXTRA_MS_BAR;
    rows.push({
      what: `processor time of usage.api-counts, daily, again${project === PROJECT ? '' : ' (no request)'}`,
      size: `${dataset.events / 1e6} M`,
      against: `${ms(without.againMs)} (none kept)`,
      measured: ms(own.againMs),
      p95: '',
      bar: ms(barMs),
      isWithin: own.againMs <= barMs,
      detail: `first ${ms(own.firstMs)}, ${ms(without.firstMs)} with none kept; days ${own.days}`,
      figures: { kept: own, plain: without },
    });
  }
  return rows;
}

const PROJECTS = [PROJECT, NO_PROJECT];

async function measureBoth(
  scripts: ServerScripts,
  { dataDir }: Dataset,
  env: Readonly<Record<string, string>>
): Promise<readonly Measured[]> {
  const service = await startService(scripts, dataDir, { env });
  try {
    const measured: Measured[] = [];
    // Warms the compiler and the file.
    await callsMs(service, 'warm-up', 5);
    for (const project of PROJECTS) {
      const [firstMs, days] = [await callsMs(service, project, 1), await daysOf(service, project)];
      measured.push({ firstMs, days, againMs: (await callsMs(service, project, CALLS)) / CALLS });
    }
    return measured;
  } finally {
    await service.stop();
  }
}

/** Processor time of server and engine, in milliseconds. */
async function callsMs(service: Service, project: string, calls: number): Promise<number> {
  const used = (): number => cpuSeconds(service.serverPid) + cpuSeconds(service.enginePid);
  const before = used();
  for (let i = 0; i < calls; i++) await call(service, project);
  return (used() - before) * 1000;
}

async function daysOf(service: Service, project: string): Promise<string> {
  const header = String((await call(service, project)).headers['server-timing']);
  return /days;desc="([^"]*)"/.exec(header)?.[1] ?? 'not divided';
}

async function call({ client }: Service, project: string): ReturnType<Service['client']['get']> {
  const query = new URLSearchParams({ interval: 'daily', project }).toString();
  const answer = await client.get(`/api/endpoints/query/usage.api-counts?${query}`);
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body.toString('utf8')}`);
  return answer;
}
