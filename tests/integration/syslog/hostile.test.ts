/**
 * Hostile senders of syslog, while another listener gets messages and a token of HTTP queries and sends events.
 *
 * @slow 15
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { addNeighborQuery, createNeighbor, type Neighbor } from '../../support/hostile/neighbor';
import { fcRuns } from '../../support/jest/fc-runs';
import buildServer from '../../support/processes/build-server';
import { writeToken } from '../../support/servers/write-token';
import {
  closed,
  createSyslogPlace,
  lines,
  openSocket,
  readMetric,
  sendAndEnd,
  startSyslogService,
  type SyslogPlace,
  type SyslogService,
  untilMetric,
} from './fixture';

jest.setTimeout(120_000);

let place: SyslogPlace;
let service: SyslogService;
let neighbor: Neighbor;

beforeAll(async () => {
  await buildServer();
  place = createSyslogPlace([
    { name: 'hostile', transport: 'tcp', port: 0, source: 'realtime_service', tenant: 'hostile' },
    { name: 'flood', transport: 'udp', port: 0, source: 'realtime_service', tenant: 'hostile' },
    { name: 'other', transport: 'tcp', port: 0, source: 'syslog' },
  ]);
  addNeighborQuery(place.endpointsDir);
  const token = writeToken(place.dataDir, { name: 'neighbor', scopes: ['query', 'ingest'] });
  // What the systems hold of the last flood is not stored at the end.
  service = await startSyslogService(place, { LQE_DRAIN_TIMEOUT_MS: '1000' });
  neighbor = createNeighbor({ url: () => service.url, token });
}, 120_000);

afterAll(async () => {
  neighbor.close();
  await service.stop('SIGINT');
  place.remove();
}, 60_000);

/** Resident memory of the server process in MiB. */
function serverMemory(): number {
  const status = readFileSync(`/proc/${service.child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024;
}

/** Half of the calls are answered in this time, and all in the ten seconds of the neighbor: other tests run as well. */
const HALF_MS = 1500;

/** Runs an attack beside the neighbors: HTTP is served, and messages to another listener are stored. */
async function beside(attack: () => Promise<void>): Promise<void> {
  const stored = (): Promise<number> =>
    readMetric(service, 'logquery_ingest_entries_total', 'source="syslog",outcome="accepted"');
  const before = await stored();
  neighbor.start();
  const others = async (): Promise<void> => {
    await sleep(300);
    await sendAndEnd(service.portOf('other'), lines(100));
    await untilMetric(service, 'logquery_ingest_entries_total', 'source="syslog",outcome="accepted"', before + 100);
  };
  const outcomes = await Promise.allSettled([attack(), others()]);
  const calls = await neighbor.pause();
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  expect(calls.filter(({ problem }) => problem !== null)).toEqual([]);
  const times = calls.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
  if (process.env['SYSLOG_TIMES']) {
    const at = (share: number): number => Math.round(times[Math.floor(share * (times.length - 1))]!);
    const facts = `${times.length} calls, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms; ${Math.round(serverMemory())} MiB`;
    process.stdout.write(`${expect.getState().currentTestName}: ${facts}\n`);
  }
  expect(times[Math.floor(times.length / 2)]).toBeLessThan(HALF_MS);
  expect(serverMemory()).toBeLessThan(600);
}

/**
 * Sends as fast as it is taken, for so long or until the service closes the connection.
 * @returns the bytes that the system has taken
 */
function pour(socket: Socket, bytes: Buffer, ms: number): Promise<number> {
  return new Promise((resolve) => {
    let count = 0;
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(count);
    };
    const timer = setTimeout(finish, ms);
    const more = (): void => {
      if (socket.destroyed) return;
      socket.write(bytes, (error) => {
        if (!error) count += bytes.length;
        if (!error) more();
      });
    };
    socket.on('error', () => undefined);
    socket.once('close', finish);
    socket.resume();
    more();
  });
}

const refusals = (reason: string): Promise<number> =>
  readMetric(service, 'logquery_syslog_refused_connections_total', `reason="${reason}"`);

it('a line without an end', () =>
  beside(async () => {
    const sent = await pour(await openSocket(service.portOf('hostile')), Buffer.alloc(65_536, 'x'), 10_000);
    expect(sent).toBeGreaterThan(16 * 1024 * 1024);
    expect(await refusals('frame')).toBeGreaterThanOrEqual(1);
  }));

it('lengths that no message has', () =>
  beside(async () => {
    const before = await refusals('frame');
    for (const length of ['1000000000000', '999999999999999', '16777217'])
      await closed(
        await openSocket(service.portOf('hostile')).then((socket) => (socket.write(`${length} <1>x`), socket))
      );
    expect(await refusals('frame')).toBe(before + 3);
    for (const length of ['-1', '0', '00000000000004', '99999999999999999999', '1e9', '0x10'])
      await sendAndEnd(service.portOf('hostile'), `${length} <1>x`);
    expect(await refusals('frame')).toBe(before + 3);
  }));

/** Waits until the places of the attack's connections are free. */
async function untilClosed(): Promise<void> {
  while ((await readMetric(service, 'logquery_syslog_connections', 'hostile')) > 0) await sleep(50);
}

it('a byte a second, of as many connections as an address may have', () =>
  beside(async () => {
    const sockets = await Promise.all(Array.from({ length: 64 }, () => openSocket(service.portOf('hostile'))));
    for (let second = 0; second < 3; second++) {
      for (const socket of sockets) socket.write('x');
      await sleep(1000);
    }
    for (const socket of sockets) socket.destroy();
    await untilClosed();
  }));

it('2,000 connections', () =>
  beside(async () => {
    const before = await refusals('limit');
    const sockets = Array.from({ length: 2000 }, () =>
      connect(service.portOf('hostile'), '127.0.0.1').on('error', () => undefined)
    );
    // The queue of the system takes some of them much later.
    await untilMetric(service, 'logquery_syslog_refused_connections_total', 'reason="limit"', before + 1000);
    expect(await readMetric(service, 'logquery_syslog_connections', 'hostile')).toBeLessThanOrEqual(64);
    for (const socket of sockets) socket.destroy();
    await untilClosed();
  }));

it('random bytes never stop a listener', async () => {
  const part = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom('<13>', '1 ', '\n', '12 <', '[a b="', '"]', '2026-01-01T00:00:00Z', 'Jan  1 00:00:00 ', '\\')
      .map(Buffer.from)
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 20 }), async (parts) => {
      await sendAndEnd(service.portOf('hostile'), Buffer.concat(parts));
    }),
    fcRuns(60)
  );
  await sendAndEnd(service.portOf('hostile'), randomBytes(1_000_000));
  const before = await readMetric(service, 'logquery_syslog_messages_total', 'other');
  await sendAndEnd(service.portOf('other'), lines(10));
  await untilMetric(service, 'logquery_syslog_messages_total', 'other', before + 10);
});

/**
 * Programs of floods without an end, in a process of their own: the neighbor is not to wait for this one. They take the
 * port.
 */
const STREAMS = `
const data = Array.from({ length: 500 }, (_, n) => '<1>1 - - - - - [n' + n + '@1 p' + n + '="1"] x\\n').join('');
const kinds = ['<1>\\n'.repeat(10000), '<1>' + '"'.repeat(60000) + '\\n', data];
for (let at = 0; at < 32; at++) {
  const socket = require('node:net').connect(Number(process.argv[1]), '127.0.0.1');
  const more = (error) => error || socket.write(kinds[at % kinds.length], more);
  socket.on('error', () => undefined).on('connect', () => more());
}
`;
const DATAGRAMS = `
const socket = require('node:dgram').createSocket('udp4');
const datagram = Buffer.from('<13>' + 'x'.repeat(1000));
socket.connect(Number(process.argv[1]), '127.0.0.1', function more() {
  for (let at = 0; at < 200; at++) socket.send(datagram, () => undefined);
  setTimeout(more, 1);
});
`;
const FLOOD_MS = 2500;

/**
 * Goes on until the listener has read many messages, which takes longer on a busy machine, and for `FLOOD_MS` at least.
 */
async function flood(program: string, listener: string): Promise<void> {
  const before = await readMetric(service, 'logquery_syslog_messages_total', `"${listener}"`);
  const child = spawn(process.execPath, ['-e', program, String(service.portOf(listener))], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  try {
    await sleep(FLOOD_MS);
    await untilMetric(service, 'logquery_syslog_messages_total', `"${listener}"`, before + 10_000);
    expect(child.exitCode).toBeNull();
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

it('a flood of datagrams', () => beside(() => flood(DATAGRAMS, 'flood')));

// The last attack: the server would read for half a minute what the systems hold of it.
it('floods over 32 connections: the smallest messages, large ones, and structured data of many names', () =>
  beside(() => flood(STREAMS, 'hostile')));

it('the neighbor’s events are all stored, once, and the source refuses no message', async () => {
  expect(await neighbor.settle()).toBeNull();
  expect(await readMetric(service, 'logquery_syslog_lost_total', 'reason="rejected"')).toBe(0);
  expect(await readMetric(service, 'logquery_syslog_lost_total', 'reason="refused"')).toBe(0);
});
