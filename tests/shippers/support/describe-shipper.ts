/**
 * The cases that every shipper must pass: equal and distinct lines, without a crash and with one at each of two
 * moments.
 */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import buildServer from '../../support/processes/build-server';
import {
  createPlace,
  type Place,
  PROCESS_TOKEN,
  type ServiceProcess,
  startService,
} from '../../support/servers/spawned';
import { type CrashMoment, type RecordingProxy, startRecordingProxy } from './recording-proxy';
import type { RunningShipper, Shipper } from './shipper';
import { openStore, type TestStore } from './store';

/** Lines of one case; LQE_SHIPPERS_LINES changes it. */
const LINES = Number(process.env.LQE_SHIPPERS_LINES ?? 10_000);
const PORTIONS = 20;

/** How lines come: in 20 portions. */
export interface Pace {
  readonly lines: number;
  readonly pauseMs: number;
}

const BURSTS: Pace = { lines: LINES, pauseMs: 100 };
/** For a shipper that sends each line in a request of its own. */
export const FEW: Pace = { lines: Math.min(LINES, 500), pauseMs: 100 };
/** Portions fill batches of a hundred lines, so that no batch that failed is filled up before it is sent again. */
export const WHOLE_BATCHES: Pace = { lines: Math.max(LINES, 100 * PORTIONS), pauseMs: 100 };
/** Batches end before they are full, so that a shipper may fill up a batch that failed. */
export const TRICKLE: Pace = { lines: 600, pauseMs: 700 };

/** The service is away for that long. */
const RESTART_AFTER_MS = 500;
/** Second deliveries that are still on their way have that long to arrive. */
const GRACE_MS = 2_000;
const POLL_MS = 100;
/** The project that docs/shippers.md uses. */
const PROJECT = 'acornharvestplatform';
const RESULTS = process.env.LQE_SHIPPERS_RESULTS;

type Lines = 'equal' | 'distinct';
type Crash = 'none' | CrashMoment;

const CRASHES: readonly Crash[] = ['none', 'mid-request', 'answer-lost'];

export interface CaseResult {
  readonly shipper: string;
  readonly identity: string;
  readonly store: string;
  readonly lines: Lines;
  readonly crash: Crash;
  readonly sent: number;
  readonly stored: number;
  /** Different texts among those stored. */
  readonly distinct: number;
  readonly requests: number;
  /** Requests without an answer of the class 2xx. */
  readonly retries: number;
  /** Bodies that failed and never came again with the same bytes. */
  readonly rebatched: number;
  /** Events of requests whose answer 2xx reached the shipper. */
  readonly acknowledged: number;
  readonly inFlightAtCrash: number;
  readonly firstProblem?: string | undefined;
}

export function describeShipper(shipper: Shipper, pace = BURSTS): void {
  let store: TestStore;

  beforeAll(async () => {
    await buildServer();
    store = await openStore();
  });
  afterAll(() => store.close());

  const cases = (['equal', 'distinct'] as const).flatMap((lines) => CRASHES.map((crash) => ({ lines, crash })));

  it.each(cases)(`${shipper.name}: $lines lines are stored as sent, crash of the service: $crash`, async (each) => {
    const { result, output } = await runCase({ shipper, store, pace, ...each });
    if (RESULTS) {
      mkdirSync(path.dirname(RESULTS), { recursive: true });
      appendFileSync(RESULTS, `${JSON.stringify(result)}\n`);
    }
    const least = shipper.isLossy && each.crash !== 'none' ? result.acknowledged : pace.lines;
    const doubled = shipper.identity === 'ambiguous' ? result.inFlightAtCrash : 0;
    const different = each.lines === 'equal' ? 1 : pace.lines;
    try {
      expect(result.stored).toBeGreaterThanOrEqual(least);
      expect(result.stored).toBeLessThanOrEqual(pace.lines + doubled);
      if (least === pace.lines) expect(result.distinct).toBe(different);
    } catch (error) {
      throw new Error(`${JSON.stringify(result)}\n${output.slice(-2_000)}`, { cause: error });
    }
  });
}

interface Outcome {
  readonly result: CaseResult;
  /** What the shipper wrote. */
  readonly output: string;
}

interface Case {
  readonly shipper: Shipper;
  readonly store: TestStore;
  readonly pace: Pace;
  readonly lines: Lines;
  readonly crash: Crash;
}

async function runCase({ shipper, store, pace, lines, crash }: Case): Promise<Outcome> {
  const place = createPlace();
  const folder = mkdtempSync(path.join(tmpdir(), 'lqe-shipper-'));
  const port = await freePort();
  const env = { LQE_PORT: String(port), ...(await store.newDatabase()) };
  let service = await startService(place, env);
  const proxy = await startRecordingProxy(port);
  let running: RunningShipper | undefined;
  let restarted: Promise<ServiceProcess> | undefined;
  const crashNow = (): void => {
    const stopped = service.stop('SIGKILL');
    restarted = stopped
      .then(() => delay(RESTART_AFTER_MS))
      .then(() => startService(place, env))
      .then(async (again) => {
        await proxy.resume();
        return again;
      });
  };
  try {
    running = await shipper.start({ url: proxy.url, token: PROCESS_TOKEN, folder });
    for (let portion = 0; portion < PORTIONS; portion++) {
      if (crash !== 'none' && portion === PORTIONS / 2) proxy.arm(crash, crashNow);
      await running.log(linesOf(lines, portion, pace.lines / PORTIONS));
      await delay(pace.pauseMs);
    }
    await running.end();
    const dropsLines = shipper.isLossy && crash !== 'none';
    await arrival(proxy, pace.lines, dropsLines ? GRACE_MS : shipper.patienceMs);
    if (restarted) service = await restarted;
    await delay(GRACE_MS);
    const output = running.output();
    const stored = await count(service.url);
    const result: CaseResult = {
      shipper: shipper.name,
      identity: shipper.identity,
      store: store.name,
      lines,
      crash,
      sent: pace.lines,
      ...stored,
      requests: proxy.requests,
      retries: proxy.failed,
      rebatched: proxy.rebatched,
      acknowledged: proxy.acknowledged,
      inFlightAtCrash: proxy.inFlightAtCrash,
      firstProblem: proxy.firstProblem,
    };
    return { result, output };
  } finally {
    await running?.stop();
    await proxy.close();
    await ended(service, restarted);
    remove(place, folder);
  }
}

function linesOf(lines: Lines, portion: number, size: number): string[] {
  return Array.from({ length: size }, (_, index) =>
    lines === 'equal' ? 'GET | 200 | /health' : `GET | 200 | /rest/v1/orders?id=${portion * size + index}`
  );
}

/** Waits until as many events are acknowledged as were sent, or until time is up: what is stored decides, not this. */
async function arrival(proxy: RecordingProxy, sent: number, patienceMs: number): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (proxy.acknowledged < sent && Date.now() < deadline) await delay(POLL_MS);
}

async function count(url: string): Promise<{ stored: number; distinct: number }> {
  const sql = 'select count(*) as stored, count(distinct event_message) as different from edge_logs';
  const query = new URLSearchParams({ project: PROJECT, sql });
  const answer = await fetch(`${url}/api/endpoints/query/logs.all?${query.toString()}`, {
    headers: { 'X-API-KEY': PROCESS_TOKEN },
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  const [row] = (JSON.parse(text) as { result: { stored: number; different: number }[] }).result;
  return { stored: row!.stored, distinct: row!.different };
}

async function ended(service: ServiceProcess, restarted: Promise<ServiceProcess> | undefined): Promise<void> {
  await service.stop('SIGKILL');
  await (await restarted?.catch(() => undefined))?.stop('SIGKILL');
}

function remove(place: Place, folder: string): void {
  place.remove();
  rmSync(folder, { recursive: true, force: true });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
