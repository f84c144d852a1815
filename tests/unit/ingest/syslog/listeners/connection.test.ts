/** One connection of a syslog sender, over streams in memory, with a clock and an intake that the test moves. */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Intake, Work } from '#server/ingest/syslog/events/intake';
import type { ListenerMetrics } from '#server/ingest/syslog/listener-metrics';
import { Connection } from '#server/ingest/syslog/listeners/connection';
import { duplexPair } from '../../../../support/fakes/duplex-pair';

let works: Work[];
let refusals: string[];
let nowMs: number;
let sender: Duplex;
let connection: Connection;

beforeEach(() => {
  // The connection of the test before may end late.
  const own: Work[] = [];
  works = own;
  refusals = [];
  nowMs = 0;
  const [near, far] = duplexPair();
  sender = far;
  const intake = { add: (work: Work) => void own.push(work) } as unknown as Intake;
  const metrics = { noteRefusal: (reason: string) => void refusals.push(reason) } as unknown as ListenerMetrics;
  const parts = { sender: '192.0.2.1', intake, metrics, maxMessageBytes: 1000, nowMs: () => nowMs };
  connection = new Connection(near as Socket, parts);
});

async function send(text: string): Promise<void> {
  sender.write(text);
  await setImmediate();
}

/** Reads what arrived. @param ms time that it takes */
function read(ms = 0): string[] {
  const texts: string[] = [];
  nowMs += ms;
  for (let work = works.shift(); work !== undefined; work = works.shift())
    for (let step = work.next(); !step.done; step = work.next()) texts.push(String(step.value.bytes));
  return texts;
}

it('a connection is not idle when its bytes have waited for the store', async () => {
  await send('<13>one\n');
  expect(read(60_000)).toEqual(['<13>one']);
  expect(connection.isQuietFor(500)).toBe(false);
  connection.closeIfOverdue(10_000, 10_000);
  nowMs += 501;
  expect(connection.isQuietFor(500)).toBe(true);
  nowMs += 10_000;
  connection.closeIfOverdue(10_000, 10_000);
  expect(refusals).toEqual(['idle']);
});

it('a connection is not slow when a part of its message has waited for the store', async () => {
  await send('<13>a message ');
  read();
  nowMs += 6_000;
  await send('in three ');
  expect(read(60_000)).toEqual([]);
  connection.closeIfOverdue(60_000, 10_000);
  expect(refusals).toEqual([]);
  nowMs += 4_001;
  connection.closeIfOverdue(60_000, 10_000);
  expect(refusals).toEqual(['slow']);
});

it.each([
  ['before it is closed', (): string[] => read()],
  ['while it is closed', (): string[] => []],
])('a connection that ends stores its last message, which has no end, read %s', async (_name, readBefore) => {
  await send('<13>one\n<13>two');
  const before = readBefore();
  connection.destroy();
  expect([...before, ...read()]).toEqual(['<13>one', '<13>two']);
});
