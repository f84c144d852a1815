import { READ_LESS } from '#contract/errors';
import { startMemoryWatchdog } from '#server/engine/client/supervision/memory-watchdog';
import { createPenalties, type Penalties } from '#server/engine/client/blame/penalties';
import { type FakeLink, fakeLink, putCall } from '../../../../support/fakes/link';

const BUDGET = 1000;
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

let link: FakeLink;
let ends: number;
let rss: number | null;
let penalties: Penalties;
let stop: () => void;

beforeEach(() => {
  jest.useFakeTimers();
  link = fakeLink();
  ends = 0;
  rss = 10;
  penalties = createPenalties(60_000, SILENT);
  const keeper = { link, end: () => void (ends += 1) };
  stop = startMemoryWatchdog({ keeper, penalties, budgetBytes: BUDGET, logger: SILENT, measure: () => rss });
});

afterEach(() => {
  stop();
  jest.useRealTimers();
});

test('a process within its memory budget goes on, and its last reading is stored', () => {
  putCall(link, 'run', { stage: 'db', text: 'select 1' });
  rss = BUDGET;
  jest.advanceTimersByTime(1000);
  expect([ends, link.rssBytes]).toEqual([0, BUDGET]);
});

test('a process over its memory budget is ended, and the run to blame gets its error and is refused later', () => {
  const { pending } = putCall(link, 'run', { stage: 'db', text: 'select 1' });
  rss = BUDGET + 1;
  jest.advanceTimersByTime(50);
  expect(ends).toBe(1);
  expect(pending.verdict?.toBody()).toEqual({
    code: 'resource_limit',
    message: 'The run passed its memory limit.',
    details: { reason: 'memory', hint: READ_LESS },
  });
  expect(() => penalties.ensureAllowed(pending)).toThrow('refused for a while');
});

test('a saved query is retried once: a batch that is being stored may have needed the memory', () => {
  const { pending } = putCall(link, 'run', { stage: 'db' });
  pending.attempts = 1;
  rss = BUDGET + 1;
  jest.advanceTimersByTime(50);
  expect([ends, pending.verdict]).toEqual([1, null]);
  expect(() => penalties.ensureAllowed(pending)).not.toThrow();
  pending.attempts = 2;
  jest.advanceTimersByTime(50);
  expect([ends, pending.verdict?.code]).toEqual([2, 'resource_limit']);
  expect(() => penalties.ensureAllowed(pending)).toThrow('refused for a while');
});

test('each end of a process during a batch is counted, with its reason', () => {
  const { pending } = putCall(link, 'ingest');
  rss = BUDGET + 1;
  jest.advanceTimersByTime(50);
  expect([ends, pending.batchEnds]).toEqual([1, 1]);
  jest.advanceTimersByTime(50);
  expect(pending).toMatchObject({ verdict: null, batchEnds: 2, wasOnlySuspect: true, endReason: 'memory' });
});

test('an idle process over its budget is restarted, but not in its first seconds', () => {
  rss = BUDGET + 1;
  jest.advanceTimersByTime(9900);
  expect(ends).toBe(0);
  jest.advanceTimersByTime(200);
  expect(ends).toBeGreaterThan(0);
});

test('the memory that the engine reports is used where it cannot be measured', () => {
  putCall(link, 'run', { stage: 'db' });
  rss = null;
  link.rssBytes = BUDGET + 1;
  jest.advanceTimersByTime(50);
  expect(ends).toBe(1);
});
