/**
 * Random `kill -9` of the server, its engine, or both, under four senders that send again what is not acknowledged:
 * nothing is lost, and what can be recognized is stored once. `KILL_ROUNDS=100` for the whole.
 *
 * @slow 40
 * @waits
 */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import buildServer from '../../../support/processes/build-server';
import { SENDER_KINDS } from '../../../support/senders/sender-kinds';
import { type Sender, startSender } from '../../../support/senders/sender';
import {
  createPlace,
  enginePidOf,
  type Place,
  PROCESS_TOKEN,
  type ServiceProcess,
  startService,
} from '../../../support/servers/spawned';
import { writeToken } from '../../../support/servers/write-token';

const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 6);
const VICTIMS = ['server', 'engine', 'both'] as const;
const START_MS = 60_000;

let place: Place;
let service: ServiceProcess;
let senders: readonly Sender[] = [];
let failures: readonly string[] = [];

beforeAll(
  async () => {
    await buildServer();
    place = createPlace();
    const tokens = SENDER_KINDS.map(({ name }) => writeToken(place.dataDir, { name, scopes: ['ingest'] }));
    service = await startService(place);
    senders = SENDER_KINDS.map((kind, at) => startSender(kind, `sender-${at}`, tokens[at]!, () => service.url));
    for (let round = 0; round < ROUNDS; round++) {
      // Every other time on average the kill comes while the last start is still being worked off.
      if (randomInt(2) === 0) await progress();
      await sleep(randomInt(100, 600));
      await kill(VICTIMS[randomInt(VICTIMS.length)]!);
    }
    await sleep(300);
    const outcomes = await Promise.allSettled(senders.map((sender) => sender.stop()));
    failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
  },
  120_000 + ROUNDS * START_MS
);

afterAll(async () => {
  await service.stop('SIGINT');
  place.remove();
}, 60_000);

/** Waits until each sender was acknowledged once more. */
async function progress(): Promise<void> {
  const before = senders.map(({ acknowledged }) => acknowledged);
  const until = Date.now() + START_MS;
  while (Date.now() < until && senders.some(({ acknowledged }, at) => acknowledged === before[at])) await sleep(20);
}

async function kill(victim: (typeof VICTIMS)[number]): Promise<void> {
  const engine = enginePidOf(service);
  if (victim !== 'server' && engine !== null) process.kill(engine, 'SIGKILL');
  if (victim === 'engine') return;
  await service.stop('SIGKILL');
  service = await startService(place);
}

async function countStored(project: string): Promise<number> {
  const query = new URLSearchParams({ project, sql: 'select count(*) as n from edge_logs' });
  for (const until = Date.now() + START_MS; ; await sleep(200)) {
    const answer = await fetch(`${service.url}/api/endpoints/query/logs.all?${query.toString()}`, {
      headers: { 'X-API-KEY': PROCESS_TOKEN },
    });
    const text = await answer.text();
    if (answer.status === 200) return (JSON.parse(text) as { result: [{ n: number }] }).result[0].n;
    if (Date.now() > until) throw new Error(text);
  }
}

it('every request of every sender is acknowledged in the end', () => {
  expect(failures).toEqual([]);
  for (const sender of senders) expect(sender.acknowledged).toBeGreaterThan(0);
});

it.each(SENDER_KINDS.map((kind, at) => [kind.name, kind, at] as const))(
  'events sent as %s are stored, and once if they can be recognized',
  async (_name, { mayDouble }, at) => {
    const { acknowledged, project } = senders[at]!;
    const stored = await countStored(project);
    expect(stored).toBeGreaterThanOrEqual(acknowledged);
    // At each kill a sender has at most one request in progress, which has one event where it may be stored twice.
    expect(stored - acknowledged).toBeLessThanOrEqual(mayDouble ? ROUNDS : 0);
  },
  90_000
);
