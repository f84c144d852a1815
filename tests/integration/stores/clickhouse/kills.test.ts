/**
 * Ends of the server, of its engine process and of ClickHouse while two inserts run at once. Senders send again what is
 * not acknowledged: nothing acknowledged is lost, and nothing is stored twice.
 *
 * @slow 100
 * @waits
 */
import { setTimeout as sleep } from 'node:timers/promises';
import buildServer from '../../../support/processes/build-server';
import { type ClickHouseEngine, type FaultRule, startClickHouseEngine } from '../../../support/processes/clickhouse';
import { createClickHouseStore } from '../../../support/servers/clickhouse-store';
import {
  createPlace,
  enginePidOf,
  type Place,
  type ServiceProcess,
  startService,
} from '../../../support/servers/spawned';
import { writeToken } from '../../../support/servers/write-token';

jest.setTimeout(120_000);

const EVENTS = 100;
/** Five batches that wait make a second insert begin. */
const LONG = 'x'.repeat(27_000);
/** Sends before the others: its insert is the first. */
const FIRST = 'a';
/** Batches named twice have two senders, as when a balancer sends a batch again. */
const OTHERS = ['b', 'c', 'd', 'c', 'd'];
const SENDERS = [FIRST, ...OTHERS];
const TIME = new Date().toISOString();
const PATIENCE_MS = 60_000;
/** Longer than the second insert takes to begin, also on a busy machine. */
const DELAY_MS = 10_000;
const INSERT = 'INSERT INTO `edge_requests`';

const LOST: FaultRule = { match: INSERT, then: { delayMs: DELAY_MS, reset: true } };
const STORED: FaultRule = { match: INSERT, then: { delayMs: DELAY_MS, after: true } };

let engine: ClickHouseEngine;
let place: Place;
let env: Readonly<Record<string, string>>;
let service: ServiceProcess;
/**
 * A token of its own for each case: one is refused for a minute when the engine process ended twice under its batches.
 */
let tokens: readonly string[];

beforeAll(async () => {
  await buildServer();
  engine = await startClickHouseEngine();
  env = await createClickHouseStore(engine);
  place = createPlace();
  tokens = cases.map((_case, at) => writeToken(place.dataDir, { name: `case ${at}`, scopes: ['ingest'] }));
  service = await startService(place, env);
}, 120_000);
afterAll(async () => {
  await service.stop('SIGKILL');
  await engine.stop();
  place.remove();
});

const start = async (): Promise<void> => {
  service = await startService(place, env);
};

/** What ends, and is started again where nothing else does it. */
const ENDS: Readonly<Record<string, () => Promise<void>>> = {
  'the server is killed': async () => {
    await service.stop('SIGKILL');
    await start();
  },
  'its engine process is killed': () => {
    process.kill(enginePidOf(service)!, 'SIGKILL');
    return Promise.resolve();
  },
  'the server is stopped': async () => {
    await service.stop('SIGTERM');
    await start();
  },
  'ClickHouse is killed': async () => {
    await engine.kill();
    await engine.restart();
  },
  'server and ClickHouse are killed': async () => {
    await Promise.all([service.stop('SIGKILL'), engine.kill()]);
    await engine.restart();
    await start();
  },
};

const MOMENTS: Readonly<Record<string, readonly FaultRule[]>> = {
  'before ClickHouse got them': [LOST],
  'while ClickHouse stores them': [STORED],
  'when ClickHouse got one of them': [{ ...STORED, times: 1 }, LOST],
};

const [KILLS, OTHER_ENDS] = [Object.keys(ENDS).slice(0, 2), Object.keys(ENDS).slice(2)];
const cases = [
  ...KILLS.flatMap((end) => Object.keys(MOMENTS).map((moment) => [end, moment] as const)),
  ...OTHER_ENDS.map((end) => [end, 'while ClickHouse stores them'] as const),
].map(([end, moment], at) => [end, moment, at] as const);

it.each(cases)('when %s during two inserts, %s, every event is stored once', async (end, moment, at) => {
  const prefix = `${end}, ${moment}`;
  const token = tokens[at]!;
  await sendAll(SENDERS, `${prefix}, earlier`, token, 'short');
  await engine.setRules(MOMENTS[moment]!);
  const first = sendAll([FIRST], prefix, token, 'short');
  await insertsBegin(1);
  const firstAt = Date.now();
  const others = sendAll(OTHERS, prefix, token, LONG);
  await insertsBegin(2);
  // The second runs beside the first.
  expect(Date.now() - firstAt).toBeLessThan(DELAY_MS);
  await Promise.all([ENDS[end]!(), endDelays()]);
  await Promise.all([first, others]);
  const names = new Set(SENDERS);
  expect(await storedIds(`${prefix}, earlier `)).toEqual([names.size * EVENTS, names.size * EVENTS]);
  expect(await storedIds(`${prefix} `)).toEqual([names.size * EVENTS, names.size * EVENTS]);
});

/** Later inserts are not delayed. Those that already are continue to wait. */
async function endDelays(): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; ; await sleep(50)) {
    const isDone = await engine.setRules([]).then(
      () => true,
      () => false
    );
    if (isDone || Date.now() > until) return;
  }
}

/** Resolves when this number of inserts has begun. */
async function insertsBegin(count: number): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(10))
    if ((await engine.seen()).filter(({ text }) => text.startsWith(INSERT)).length >= count) return;
  throw new Error(`insert number ${count} did not begin`);
}

/** Resolves when each sender is acknowledged. */
async function sendAll(senders: readonly string[], prefix: string, token: string, message: string): Promise<void> {
  await Promise.all(senders.map((name) => sendUntilAcknowledged(`${prefix} ${name}`, token, message)));
}

async function sendUntilAcknowledged(name: string, token: string, message: string): Promise<void> {
  const events = Array.from({ length: EVENTS }, (_, n) =>
    JSON.stringify({ id: `${name} ${n}`, timestamp: TIME, project: 'p', event_message: message })
  );
  const body = events.join('\n');
  for (const until = Date.now() + PATIENCE_MS; ; await sleep(100)) {
    const answer = await fetch(`${service.url}/api/logs?source=edge_requests`, {
      method: 'POST',
      headers: { 'X-API-KEY': token, 'Content-Type': 'application/x-ndjson' },
      body,
    }).then(
      async (response) => ({ status: response.status, text: await response.text() }),
      () => null
    );
    if (answer?.status === 200) {
      expect(JSON.parse(answer.text)).toMatchObject({ result: { accepted: EVENTS, rejected: 0 } });
      return;
    }
    if (answer !== null && ![429, 503].includes(answer.status)) throw new Error(answer.text);
    if (Date.now() > until)
      throw new Error(`"${name}" was not acknowledged: ${answer?.status ?? 'no answer'} ${answer?.text ?? ''}`);
  }
}

/** @returns numbers of rows and of different ids */
async function storedIds(prefix: string): Promise<unknown[] | undefined> {
  const [counts] = await engine.query(
    `SELECT toInt32(count()), toInt32(uniqExact(id)) FROM lqe.edge_requests WHERE startsWith(id, '${prefix}')`
  );
  return counts;
}
