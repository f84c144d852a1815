import { createSecretKey } from 'node:crypto';
import type { RedisClient, RedisReply } from '#server/cache/redis/client';
import { entryKey, sealEntry } from '#server/cache/redis/codec';
import { RedisResults } from '#server/cache/redis/results';
import type { SharedEvent, SharedResults } from '#server/cache/shared-results';
import { POLICY, QUERY_REQUEST } from '../../../support/fakes/query-cache';
import { createManualClock, type ManualClock, settle } from '../../../support/fakes/clock';

const SERVER_KEY = createSecretKey('ab'.repeat(32), 'hex');
const ASKED = { key: 'k', queryRequest: QUERY_REQUEST, policy: POLICY };
const RESULT = {
  format: 'json' as const,
  bytes: Buffer.from('{"result":[]}'),
  fields: [],
  rows: 0,
  truncated: false,
  redacted: false,
  revision: 1,
  timings: { queueMs: 0, planMs: 0, dbMs: 0, redactMs: 0, encodeMs: 0 },
};

let clock: ManualClock;
let sent: (readonly unknown[])[];
let answer: (command: readonly unknown[]) => RedisReply | Promise<RedisReply>;
let shared: SharedResults;
let events: SharedEvent[];
beforeEach(() => {
  clock = createManualClock();
  sent = [];
  answer = () => ({ kind: 'failed' });
  events = [];
  const client: RedisClient = {
    isUp: true,
    send: async (command) => {
      sent.push(command);
      return answer(command);
    },
    close: () => undefined,
  };
  shared = new RedisResults({ client, serverKey: SERVER_KEY, scope: () => 'one store', clock });
  shared.onEvent((event) => events.push(event));
});

/** What Redis holds: an entry of a run some time ago, by the clock of the server that ran it and by its own. */
function holds({ ranAgoMs, restMs, facts = {} }: { ranAgoMs: number; restMs: number; facts?: object }): void {
  answer = async (command) => {
    const ranAtMs = clock.nowMicros() / 1000 - ranAgoMs;
    const entry = { result: { ...RESULT, ...facts }, ranAtMs, generation: 'first:1' };
    const sealed = await sealEntry(entryKey(SERVER_KEY), String(command[4]), entry, 1_000_000);
    return { kind: 'value', value: [Buffer.from('first:1'), restMs, sealed] };
  };
}

describe('a shared result', () => {
  it.each([
    ['by both clocks', { ranAgoMs: 100_000, restMs: 800_000 }, 100_000],
    [
      'by the clock of the cache, when the clock of the other server is ahead',
      { ranAgoMs: -50_000, restMs: 800_000 },
      100_000,
    ],
    [
      'by the clocks of the servers, when another server has it live longer',
      { ranAgoMs: 300_000, restMs: 899_000 },
      300_000,
    ],
  ])('counts its age %s', async (_how, stored, ageMs) => {
    holds(stored);
    const { run } = await shared.find(ASKED);
    expect(clock.nowMicros() / 1000 - run!.executedAt.wallMs).toBe(ageMs);
    expect(clock.monotonicMs() - run!.executedAt.monotonicMs).toBe(ageMs);
  });

  it('that has expired is a miss, for any answer of Redis', async () => {
    holds({ ranAgoMs: 900_000, restMs: 500_000 });
    expect((await shared.find(ASKED)).run).toBeNull();
    expect(events).toEqual([{ kind: 'lookup', outcome: 'miss' }]);
  });
});

it.each([
  ['of another format', { format: 'csv' }],
  ['of another revision', { revision: 2 }],
])('a shared result %s is refused, even when a server with the right key sealed it', async (_what, facts) => {
  holds({ ranAgoMs: 0, restMs: 900_000, facts });
  expect((await shared.find(ASKED)).run).toBeNull();
  expect(events).toEqual([{ kind: 'lookup', outcome: 'refused' }]);
});

it('a shared result that is not redacted is a miss for a caller who must get redacted rows', async () => {
  holds({ ranAgoMs: 0, restMs: 900_000 });
  const queryRequest = { ...QUERY_REQUEST, redact: true };
  expect((await shared.find({ ...ASKED, queryRequest })).run).toBeNull();
  expect((await shared.find(ASKED)).run).not.toBeNull();
});

it.each<[string, RedisReply]>([
  ['nothing in time', { kind: 'failed' }],
  ['something else', { kind: 'value', value: 'OK' }],
  ['half an answer', { kind: 'value', value: [Buffer.from(''), 'x'] }],
])('a Redis that answers %s gives no result, and no result is stored there', async (_what, reply) => {
  answer = () => reply;
  expect(await shared.find(ASKED)).toEqual({ run: null, slot: null });
  expect(events).toEqual([{ kind: 'lookup', outcome: 'failed' }]);
});

it('names of shared entries differ between stores and reveal nothing of the request', async () => {
  await shared.find(ASKED);
  const other = new RedisResults({
    client: { isUp: true, send: async (command) => (sent.push(command), { kind: 'failed' }), close: () => undefined },
    serverKey: SERVER_KEY,
    scope: () => 'another store',
    clock,
  });
  await other.find(ASKED);
  const names = sent.map((command) => String(command[4]));
  expect(new Set(names).size).toBe(2);
  expect(names[0]).toMatch(/^\{lqe:[\w-]{16}\}:[\w-]{43}$/);
});

describe('a purge', () => {
  const look = async (...generations: string[]): Promise<void> => {
    answer = () => ({ kind: 'value', value: generations.map((text) => Buffer.from(text)) });
    clock.advance(1000);
    await settle();
  };
  let purged: string[];
  beforeEach(() => {
    purged = [];
    shared.onPurge((endpointId) => purged.push(endpointId));
  });

  it('by another server is noticed once', async () => {
    await look('a', 'first:1', 'b', 'first:2');
    expect(purged).toEqual([]);
    await look('a', 'purge:3', 'b', 'first:2');
    await look('a', 'purge:3', 'b', 'first:2');
    expect(purged).toEqual(['a']);
  });

  it('is noticed for a query that this server had not seen there, and when Redis loses all its data', async () => {
    await look('a', 'purge:1');
    await look();
    expect(purged).toEqual(['a', 'a']);
    await look('a', 'first:2');
    expect(purged).toEqual(['a', 'a']);
  });

  it('by this server itself is not reported back to it', async () => {
    answer = () => ({ kind: 'value', value: 1 });
    await shared.purge('a');
    const [, , , generation] = sent.at(-1)!;
    await look('a', String(generation));
    expect(purged).toEqual([]);
  });
});

it('a deleted saved query leaves no generation, and one with its id later begins without a purge', async () => {
  const purged: string[] = [];
  shared.onPurge((endpointId) => purged.push(endpointId));
  answer = () => ({ kind: 'value', value: 1 });
  await shared.purge('a');
  await shared.remove('a');
  const [name, , ...fields] = sent.at(-1)!;
  expect([name, ...fields]).toEqual(['HDEL', 'a']);
  answer = () => ({ kind: 'value', value: ['a', 'first:2'].map((text) => Buffer.from(text)) });
  clock.advance(1000);
  await settle();
  expect(purged).toEqual([]);
  answer = () => ({ kind: 'failed' });
  await shared.remove('a');
});

it('a result that cannot be sealed is a failed write, and does not use up the writes', async () => {
  answer = () => ({ kind: 'value', value: [Buffer.alloc(0), -2, Buffer.alloc(0)] });
  const { slot } = await shared.find(ASKED);
  const executedAt = { wallMs: clock.nowMicros() / 1000, monotonicMs: clock.monotonicMs() };
  const unprintable = { ...RESULT, rows: 1n as unknown as number };
  events = [];
  for (let write = 0; write < 20; write++) await shared.keep(slot!, { result: unprintable, executedAt });
  expect(events).toEqual(Array.from({ length: 20 }, () => ({ kind: 'write', outcome: 'failed' })));
});
