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

it('a response does not count after the client has disconnected', () => {
  const unsent = createUnreadResponses(LIMITS);
  const left = new Answer();
  left.destroyed = true;
  unsent.track(asResponse(left), 'a', 200);
  expect(unsent.bytes).toBe(0);
});
