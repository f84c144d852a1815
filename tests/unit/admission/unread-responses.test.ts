import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createUnreadResponses } from '#server/admission/unread-responses';

const LIMITS = { maxBytes: 300, maxBytesPerToken: 200 };

/** The part of a response that matters here: it reports its end. */
class Answer extends EventEmitter {
  destroyed = false;
}
const asResponse = (answer: Answer) => answer as unknown as ServerResponse;
const codeOf = (act: () => void): string => {
  try {
    act();
    return 'room';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

it('bytes of a response count until they are sent, for one token and for all', () => {
  const unsent = createUnreadResponses(LIMITS);
  const first = new Answer();
  unsent.track(asResponse(first), 'a', 200);
  expect(codeOf(() => unsent.ensureRoom('a'))).toBe('concurrency_limited');
  expect(codeOf(() => unsent.ensureRoom('b'))).toBe('room');
  const second = new Answer();
  unsent.track(asResponse(second), 'b', 100);
  expect(codeOf(() => unsent.ensureRoom('b'))).toBe('overloaded');
  first.emit('close');
  expect([codeOf(() => unsent.ensureRoom('a')), unsent.bytes]).toEqual(['room', 100]);
  second.emit('close');
  expect(unsent.bytes).toBe(0);
});

it('owners that do not read leave a quarter of the memory to those that do', () => {
  const mebibyte = 1024 * 1024;
  const unread = createUnreadResponses({ maxBytes: 256 * mebibyte, maxBytesPerToken: 64 * mebibyte });
  const [a, b, c] = ['a', 'b', 'c'].map((owner, n) => {
    const answer = new Answer();
    unread.track(asResponse(answer), owner, (n === 2 ? 63 : 65) * mebibyte);
    return answer;
  });
  expect(['c', 'd'].map((owner) => codeOf(() => unread.ensureRoom(owner)))).toEqual(['overloaded', 'room']);
  unread.track(asResponse(new Answer()), 'd', 60 * mebibyte);
  expect(['d', 'e'].map((owner) => codeOf(() => unread.ensureRoom(owner)))).toEqual(['overloaded', 'room']);
  for (const answer of [a, b, c]) answer!.emit('close');
  expect(['a', 'd'].map((owner) => codeOf(() => unread.ensureRoom(owner)))).toEqual(['room', 'room']);
});

it('a response does not count after the client has disconnected', () => {
  const unsent = createUnreadResponses(LIMITS);
  const left = new Answer();
  left.destroyed = true;
  unsent.track(asResponse(left), 'a', 200);
  expect(unsent.bytes).toBe(0);
});

it('a body that several responses share counts once for a token and once in total, until the last one is sent', () => {
  const unread = createUnreadResponses(LIMITS);
  const body = new Uint8Array(200);
  const [first, second, other] = [new Answer(), new Answer(), new Answer()];
  unread.trackShared(asResponse(first), 'a', body);
  unread.trackShared(asResponse(second), 'a', body);
  unread.trackShared(asResponse(other), 'b', body);
  expect(unread.bytes).toBe(200);
  expect(['a', 'b'].map((owner) => codeOf(() => unread.ensureRoom(owner)))).toEqual([
    'concurrency_limited',
    'concurrency_limited',
  ]);
  first.emit('close');
  other.emit('close');
  expect(['a', 'b'].map((owner) => codeOf(() => unread.ensureRoom(owner)))).toEqual(['concurrency_limited', 'room']);
  second.emit('close');
  expect([unread.bytes, codeOf(() => unread.ensureRoom('a'))]).toEqual([0, 'room']);
});

it('equal bodies that are not the same memory count each', () => {
  const unread = createUnreadResponses(LIMITS);
  for (let n = 0; n < 3; n += 1) unread.trackShared(asResponse(new Answer()), `${n}`, new Uint8Array(100));
  expect([unread.bytes, codeOf(() => unread.ensureRoom('other'))]).toEqual([300, 'overloaded']);
});

it('unread responses of others leave room where only the own ones count', () => {
  const unread = createUnreadResponses(LIMITS);
  unread.track(asResponse(new Answer()), 'a', 200);
  unread.track(asResponse(new Answer()), 'b', 100);
  expect([codeOf(() => unread.ensureRoom('c')), codeOf(() => unread.ensureOwnRoom('c'))]).toEqual([
    'overloaded',
    'room',
  ]);
  expect(codeOf(() => unread.ensureOwnRoom('a'))).toBe('concurrency_limited');
});
