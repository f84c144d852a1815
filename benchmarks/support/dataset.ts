/**
 * Data folders with a given number of edge requests over the last seven days, each laid out as the store lays it out.
 * One million events are made by the sample generator and stored by the service itself. Larger sets are that million
 * several times: each copy is turned round the week by other days, so that no two neighbours are alike. Folders are
 * kept and used again.
 */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createIngestClient } from '#server/cli/import/ingest-client';
import { createProgress } from '#server/cli/import/progress';
import { sampleEvents } from '#server/cli/sample-data/sample-logs';
import type { MultiplyJob } from './multiply';
import type { OpenDayJob } from './open-day';
import { runApart } from './run-apart';
import { sealPastDays } from './seal-days';
import { startService, type ServerScripts } from './service';
import { DAYS } from './settings';

export interface Dataset {
  readonly dataDir: string;
  readonly file: string;
  readonly events: number;
  /** The end of its week. */
  readonly endMicros: number;
}

const BASE_EVENTS = 1_000_000;
export const BATCH_EVENTS = 1000;
/** An older set is turned again: the last hour must be in it. */
const MAX_AGE_MICROS = 15 * 60 * 1_000_000;

/** @param millions a whole number. */
export async function prepareDataset(
  scripts: ServerScripts,
  root: string,
  cacheDir: string,
  millions: number
): Promise<Dataset> {
  const base = await prepareBase(scripts, root, cacheDir);
  const dataDir = join(cacheDir, `edge-${millions}m-${layoutKey(root)}`);
  const kept = readFacts(dataDir);
  const nowMicros = Date.now() * 1000;
  if (kept && nowMicros - kept.endMicros < MAX_AGE_MICROS) return dataset(dataDir, millions, kept.endMicros);
  console.log(`Laying out ${millions} million events ...`);
  rmSync(dataDir, { recursive: true, force: true });
  const building = `${dataDir}.new`;
  rmSync(building, { recursive: true, force: true });
  mkdirSync(building, { recursive: true });
  await runApart<MultiplyJob, object>(join(__dirname, 'multiply.js'), {
    baseFile: base.file,
    targetFile: join(building, 'logs.duckdb'),
    tempDir: join(building, 'temp'),
    copies: millions,
    baseEndMicros: base.endMicros,
    endMicros: nowMicros,
  });
  writeFacts(building, nowMicros);
  renameSync(building, dataDir);
  return dataset(dataDir, millions, nowMicros);
}

/** The same, with past days sealed as a server seals them by itself, and the last day open. */
export async function prepareSealed(
  scripts: ServerScripts,
  root: string,
  cacheDir: string,
  millions: number
): Promise<Dataset> {
  const open = await prepareDataset(scripts, root, cacheDir, millions);
  const dataDir = `${open.dataDir}-sealed`;
  if (readFacts(dataDir)?.endMicros === open.endMicros) return dataset(dataDir, millions, open.endMicros);
  console.log('Sealing its past days ...');
  const building = `${dataDir}.new`;
  for (const folder of [dataDir, building]) rmSync(folder, { recursive: true, force: true });
  cpSync(open.dataDir, building, { recursive: true });
  const today = { file: join(building, 'logs.duckdb'), endMicros: open.endMicros };
  const job = join(__dirname, 'open-day.js');
  await runApart<OpenDayJob, object>(job, { ...today, from: null });
  await sealPastDays(root, building);
  await runApart<OpenDayJob, object>(job, { ...today, from: open.file });
  renameSync(building, dataDir);
  return dataset(dataDir, millions, open.endMicros);
}

async function prepareBase(scripts: ServerScripts, root: string, cacheDir: string): Promise<Dataset> {
  const dataDir = join(cacheDir, `base-${layoutKey(root)}`);
  const kept = readFacts(dataDir);
  if (kept) return dataset(dataDir, 1, kept.endMicros);
  const building = `${dataDir}.new`;
  rmSync(building, { recursive: true, force: true });
  mkdirSync(building, { recursive: true });
  const endMicros = Date.now() * 1000;
  const service = await startService(scripts, building);
  const ingest = createIngestClient({ url: service.url, token: service.token, source: 'edge_requests' });
  const progress = createProgress({ label: 'Storing the base million', total: BASE_EVENTS });
  let stored = 0;
  for (const batch of batches(endMicros)) {
    const answer = await ingest.send(batch);
    if (answer === 'too_large' || answer.rejected > 0) throw new Error('the server refused sample events');
    stored += answer.accepted;
    progress.update(stored, stored);
  }
  progress.stop();
  await service.stop();
  writeFacts(building, endMicros);
  renameSync(building, dataDir);
  return dataset(dataDir, 1, endMicros);
}

/** Batches of 1,000 events as newline-delimited JSON. */
export function* batches(endMicros: number, events = BASE_EVENTS, seed = 1): Generator<Buffer, undefined> {
  let lines: string[] = [];
  for (const event of sampleEvents('edge_requests', { endMicros, edgeRequests: events, days: DAYS, seed })) {
    lines.push(JSON.stringify(event));
    if (lines.length < BATCH_EVENTS) continue;
    yield Buffer.from(lines.join('\n'));
    lines = [];
  }
}

function dataset(dataDir: string, millions: number, endMicros: number): Dataset {
  return { dataDir, file: join(dataDir, 'logs.duckdb'), events: millions * BASE_EVENTS, endMicros };
}

/** Changes with the code that decides what is in the file, so that no folder of another layout is used. */
function layoutKey(root: string): string {
  const digest = createHash('sha256');
  for (const folder of ['server/stores', 'server/cli/sample-data', 'contract']) {
    for (const path of readdirSync(join(root, folder), { recursive: true }).map(String).sort()) {
      const file = join(root, folder, path);
      if (statSync(file).isFile()) digest.update(path).update(readFileSync(file));
    }
  }
  const sources = join(root, 'sources.yaml');
  return digest.update(readFileSync(sources)).digest('hex').slice(0, 8);
}

function readFacts(dataDir: string): { endMicros: number } | undefined {
  const file = join(dataDir, 'dataset.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { endMicros: number }) : undefined;
}

function writeFacts(dataDir: string, endMicros: number): void {
  writeFileSync(join(dataDir, 'dataset.json'), JSON.stringify({ endMicros }));
}
