import type { ServiceError } from '#contract/errors';
import { superviseDeadline } from '#server/engine/client/deadline';
import { createPendingCall, type PendingCall } from '#server/engine/client/pending-call';
import { type FakeLink, fakeLink, putCall } from '../../../support/fakes/link';

const LIMITS = { graceMs: 300, stallMs: 3000, stuckMs: 60_000 };

let link: FakeLink;
let failures: ServiceError[];
let ended: (PendingCall | null)[];

beforeEach(() => {
  jest.useFakeTimers();
  link = fakeLink();
  failures = [];
  ended = [];
});

afterEach(() => jest.useRealTimers());

function supervise(pending: PendingCall): () => void {
  return superviseDeadline(pending, LIMITS, {
    fail: (error) => failures.push(error),
    endProcess: (_, offender) => ended.push(offender),
  });
}

const codes = (): string[] => failures.map(({ code }) => code);

test('nothing happens before the deadline, nor after the call has ended', () => {
  const { pending } = putCall(link, 'run', { stage: 'db' });
  const end = supervise(pending);
  jest.advanceTimersByTime(999);
  expect(link.cancelled).toEqual([]);
  end();
  jest.advanceTimersByTime(100_000);
  expect([link.cancelled, failures, ended]).toEqual([[], [], []]);
});

test('a call that waits for a process fails at its deadline', () => {
  supervise(createPendingCall('status', {}, { timeoutMs: 1000 }));
  jest.advanceTimersByTime(1000);
  expect(codes()).toEqual(['backend_unavailable']);
});

test('a run that confirms the interrupt but goes on ends the process after a grace period', () => {
  const { pending, record } = putCall(link, 'run', { stage: 'db' });
  supervise(pending);
  jest.advanceTimersByTime(1000);
  expect(link.cancelled).toEqual([record.id]);
  record.isInterruptConfirmed = true;
  jest.advanceTimersByTime(299);
  expect(failures).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(codes()).toEqual(['query_timeout']);
  expect(ended).toEqual([pending]);
});

test('a process that does not respond gets time, while its caller gets the timeout at once', () => {
  const { pending } = putCall(link, 'run', { stage: 'db' });
  supervise(pending);
  jest.advanceTimersByTime(1300);
  expect(codes()).toEqual(['query_timeout']);
  jest.advanceTimersByTime(2500);
  expect(ended).toEqual([]);
  jest.advanceTimersByTime(300);
  expect(ended).toEqual([pending]);
});

test('a process that does not respond is blamed on the call that blocks its thread', () => {
  const holder = putCall(link, 'run', { stage: 'plan' });
  const { pending } = putCall(link, 'run');
  supervise(pending);
  jest.advanceTimersByTime(5000);
  expect(codes()).toEqual(['overloaded']);
  expect(ended).toEqual([holder.pending]);
});

test('a process that does not respond without any run is ended, and no call is blamed', () => {
  const { pending } = putCall(link, 'status');
  supervise(pending);
  jest.advanceTimersByTime(5000);
  expect(codes()).toEqual(['backend_unavailable']);
  expect(ended).toEqual([null]);
});

test('a late batch in a process that responds may go on for a minute', () => {
  const { pending, record } = putCall(link, 'ingest');
  record.isInterruptConfirmed = true;
  supervise(pending);
  jest.advanceTimersByTime(1300);
  expect(codes()).toEqual(['backend_unavailable']);
  jest.advanceTimersByTime(55_000);
  expect(ended).toEqual([]);
  jest.advanceTimersByTime(10_000);
  expect(ended).toEqual([null]);
});
