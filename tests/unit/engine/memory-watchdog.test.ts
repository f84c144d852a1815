import { startMemoryWatchdog } from '#server/engine/memory-watchdog';
import { createPenalties, type Penalties } from '#server/engine/penalties';
import { type FakeLink, fakeLink, putCall } from '../../support/fake-link';

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

test('within the budget nothing happens, and the last value is kept', () => {
  putCall(link, 'run', { stage: 'db', text: 'select 1' });
  rss = BUDGET;
  jest.advanceTimersByTime(1000);
  expect([ends, link.rssBytes]).toEqual([0, BUDGET]);
});

test('over the budget the process ends, the offender has its verdict and is refused', () => {
  const { pending } = putCall(link, 'run', { stage: 'db', text: 'select 1' });
  rss = BUDGET + 1;
  jest.advanceTimersByTime(50);
  expect(ends).toBe(1);
  expect(pending.verdict?.toBody()).toEqual({
    code: 'resource_limit',
    message: 'The run passed its memory limit.',
    details: { reason: 'memory' },
  });
  expect(() => penalties.ensureAllowed(pending)).toThrow('refused for a while');
});

test('each end under a batch is counted, with its reason', () => {
  const { pending } = putCall(link, 'ingest');
  rss = BUDGET + 1;
  jest.advanceTimersByTime(50);
  expect([ends, pending.batchEnds]).toEqual([1, 1]);
  jest.advanceTimersByTime(50);
  expect(pending).toMatchObject({ verdict: null, batchEnds: 2, wasOnlySuspect: true, endReason: 'memory' });
});

test('a process with nothing to do is started again, but not in its first seconds', () => {
  rss = BUDGET + 1;
  jest.advanceTimersByTime(9900);
  expect(ends).toBe(0);
  jest.advanceTimersByTime(200);
  expect(ends).toBeGreaterThan(0);
});

test('where the memory cannot be measured, what the engine tells counts', () => {
  putCall(link, 'run', { stage: 'db' });
  rss = null;
  link.rssBytes = BUDGET + 1;
  jest.advanceTimersByTime(50);
  expect(ends).toBe(1);
});
