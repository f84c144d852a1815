/**
 * Streams of messages through stops and crashes: over TCP, what the service has read is stored once.
 *
 * @slow 110
 * @waits
 */
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import buildServer from '../../support/processes/build-server';
import {
  closed,
  countMessages,
  createSyslogPlace,
  lines,
  openSocket,
  readMetric,
  send,
  settledCount,
  startSyslogService,
  type SyslogPlace,
  type SyslogService,
  untilMetric,
} from './fixture';

jest.setTimeout(240_000);

const PORTION = 500;
let place: SyslogPlace;
let service: SyslogService;

beforeAll(buildServer, 120_000);
beforeEach(async () => {
  place = createSyslogPlace([{ name: 'tcp', transport: 'tcp', port: 0, source: 'syslog' }]);
  service = await startSyslogService(place);
});
afterEach(async () => {
  await service.stop('SIGINT');
  place.remove();
});

interface Stream {
  readonly socket: Socket;
  /** Messages that the system has taken. */
  sent(): number;
  stop(): void;
  readonly done: Promise<void>;
}

/** Sends numbered messages until it is stopped, or the service closes its side. */
function startStream(socket: Socket, portions = Infinity, pauseMs = 0, more = ''): Stream {
  let count = 0;
  let isStopped = false;
  socket.resume();
  socket.once('end', () => (isStopped = true));
  const run = async (): Promise<void> => {
    for (let portion = 0; portion < portions && !isStopped; portion++) {
      await send(socket, lines(PORTION, count, more));
      count += PORTION;
      if (pauseMs > 0) await sleep(pauseMs);
    }
    socket.end();
    await closed(socket);
  };
  const done = run();
  done.catch(() => undefined);
  return { socket, sent: () => count, stop: () => void (isStopped = true), done };
}

/** The engine is the one child of the server. */
function engineOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
}

it('a stop in the middle of a stream stores all that was sent before the service closed its side', async () => {
  const stream = startStream(await openSocket(service.portOf('tcp')));
  await untilMetric(service, 'logquery_syslog_messages_total', '', 5 * PORTION);
  const exited = service.stop('SIGTERM');
  await stream.done;
  expect(await exited).toBe(0);
  service = await startSyslogService(place);
  expect(await countMessages(service)).toEqual({ events: stream.sent(), messages: stream.sent() });
});

it('a message without an end is stored at a stop', async () => {
  const socket = await openSocket(service.portOf('tcp'));
  await send(socket, '<13>one\n<13>two');
  await untilMetric(service, 'logquery_syslog_messages_total', '', 1);
  const exited = service.stop('SIGTERM');
  await closed(socket);
  expect(await exited).toBe(0);
  service = await startSyslogService(place);
  expect(await countMessages(service)).toEqual({ events: 2, messages: 2 });
});

it('the engine is killed in the middle of a stream: stored is what was sent, once', async () => {
  const stream = startStream(await openSocket(service.portOf('tcp')), 40, 50);
  await untilMetric(service, 'logquery_ingest_entries_total', 'outcome="accepted"', 5 * PORTION);
  // A batch that was under way at two ends is refused, and its halves are stored. Batches then wait for a minute.
  const restarts = (): number => service.output().split('the engine process was started again').length - 1;
  const isRefused = (): boolean => service.output().includes('it is refused and set aside');
  while (!isRefused()) {
    const before = restarts();
    process.kill(engineOf(service.child.pid!), 'SIGKILL');
    while (restarts() === before) await sleep(1);
  }
  await stream.done;
  const sent = 40 * PORTION;
  expect(stream.sent()).toBe(sent);
  expect(await settledCount(service, sent, 150_000)).toEqual({ events: sent, messages: sent });
  expect(await readMetric(service, 'logquery_syslog_lost_total')).toBe(0);
});

it('the server is killed in the middle of a stream: what it had counted as stored is stored, once', async () => {
  const stream = startStream(await openSocket(service.portOf('tcp')), Infinity, 5);
  await untilMetric(service, 'logquery_ingest_entries_total', 'outcome="accepted"', 10 * PORTION);
  const counted = await readMetric(service, 'logquery_ingest_entries_total', 'outcome="accepted"');
  await service.stop('SIGKILL');
  await stream.done.catch(() => undefined);
  await untilStarted();
  const { events, messages } = await countMessages(service);
  expect(events).toBeGreaterThanOrEqual(counted);
  expect(events).toBeLessThanOrEqual(stream.sent() + PORTION);
  expect(messages).toBe(events);
});

/** The engine that was left behind still has the folder for a moment. */
async function untilStarted(): Promise<void> {
  for (const until = Date.now() + 30_000; ; await sleep(100)) {
    try {
      service = await startSyslogService(place);
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}

it('a sender waits while the store does not answer, and nothing is lost', async () => {
  await service.stop('SIGINT');
  service = await startSyslogService(place, { LQE_SYSLOG_MAX_BUFFER_BYTES: String(4 * 1024 * 1024) });
  const engine = engineOf(service.child.pid!);
  const socket = await openSocket(service.portOf('tcp'));
  process.kill(engine, 'SIGSTOP');
  // 48 MB, more than the listener and both systems hold: the sender has to wait.
  const portions = 24;
  const stream = startStream(socket, portions, 0, ` ${'x'.repeat(4000)}`);
  for (let before = -1; before !== stream.sent(); await sleep(1000)) before = stream.sent();
  const taken = stream.sent();
  process.kill(engine, 'SIGCONT');
  expect(taken).toBeLessThan(portions * PORTION);
  await stream.done;
  const sent = portions * PORTION;
  expect(await settledCount(service, sent, 90_000)).toEqual({ events: sent, messages: sent });
});
