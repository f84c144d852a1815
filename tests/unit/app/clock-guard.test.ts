/** Deletions by age while the clock is not as it was. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '#contract/errors';
import { deleteByAge } from '#server/app/lifecycle/housekeeping';
import { confirmClock } from '#server/cli/store/confirm-clock';
import { writeKnownTime } from '#server/common/data-folder/known-time';
import { createManualClock, type ManualClock } from '../../support/fakes/clock';
import { send } from '../../support/fakes/connection';
import { BOOTSTRAP_TOKEN, createTestService, type TestService } from '../../support/servers/in-memory';

const DAY_MS = 86_400_000;
let clock: ManualClock;
let service: TestService;
beforeEach(() => {
  clock = createManualClock();
  service = createTestService({ clock });
});
afterEach(() => service.close());

/** @param oldestDaysAgo beyond any retention unless it is given */
const newestEvent = (daysAgo: number, oldestDaysAgo = 4000): void => {
  const [newestMicros, oldestMicros] = [daysAgo, oldestDaysAgo].map((days) => clock.nowMicros() - days * DAY_MS * 1000);
  const { name } = service.ctx.sources.all[0]!;
  service.engine.answers.sources = () => ({ sources: [{ name, newestMicros, oldestMicros }] }) as never;
};
/** @returns whether days were deleted */
async function run(): Promise<boolean> {
  const before = service.engine.asked.length;
  await deleteByAge(service.ctx);
  return service.engine.asked.slice(before).some(({ kind }) => kind === 'retention');
}
const ready = async (): Promise<unknown> => (await send(service.server, '/health/ready')).json();
const jump = (days: number): void => clock.setTimeOfDay({ ms: days * DAY_MS });

it.each<[string, () => void | Promise<void>, boolean]>([
  ['no event is stored', () => undefined, true],
  ['the newest event is recent', () => newestEvent(2), true],
  ['the newest event is a month old', () => newestEvent(31), false],
  ['the last run was a week ago', () => writeKnownTime(service.dataDir, new Date(+clock.now() - 7 * DAY_MS)), true],
  ['the last run was a month ago', () => writeKnownTime(service.dataDir, new Date(+clock.now() - 31 * DAY_MS)), false],
])('at a start: %s', async (_name, prepare, isDeleted) => {
  await prepare();
  expect(await run()).toBe(isDeleted);
});

it('a clock that jumps ahead deletes nothing, and says so, until it is corrected', async () => {
  newestEvent(0);
  expect(await run()).toBe(true);
  expect(await ready()).toEqual({ status: 'ok' });
  jump(400);
  // Events that came since have the time of this clock.
  newestEvent(0);
  expect(await run()).toBe(false);
  const reason = expect.stringMatching(/^The clock is 400 days ahead .* "lqe store confirm-clock"/);
  expect(await ready()).toEqual({
    status: 'degraded',
    checks: { service: 'ok', engine: 'ok', store: 'ok', tokens: 'ok', clock: 'ahead' },
    clock: { reason },
  });
  expect(service.log).toContainEqual(expect.objectContaining({ level: 40, msg: reason }));
  const metrics = await send(service.server, '/metrics', { headers: { 'X-API-KEY': BOOTSTRAP_TOKEN } });
  expect(metrics.text).toContain('\nlogquery_clock_ahead_days 400\n');
  jump(-400);
  expect(await run()).toBe(true);
  expect(await ready()).toEqual({ status: 'ok' });
});

it.each([
  ['day ends in its retention', 0, 'ok'],
  ['day does not', 1, 'degraded'],
])('a clock that is ahead is reported where the oldest %s', async (_name, days, status) => {
  newestEvent(31, service.ctx.sources.all[0]!.retention_days + days);
  expect(await run()).toBe(false);
  expect(await ready()).toMatchObject({ status });
});

it('events that are older than the first start of the server pause nothing', async () => {
  expect(await run()).toBe(true);
  newestEvent(31);
  expect(await run()).toBe(true);
});

it('the first start of a machine whose clock is decades behind is not the last known time', async () => {
  jump(-20_000);
  expect(await run()).toBe(true);
  jump(20_000);
  newestEvent(0);
  expect(await run()).toBe(true);
  expect(await ready()).toEqual({ status: 'ok' });
});

it('the operator confirms a clock that is right', async () => {
  newestEvent(30);
  expect(await run()).toBe(false);
  const print = jest.spyOn(console, 'log').mockReturnValue();
  await confirmClock({ dataDir: service.dataDir }, clock.now());
  expect(await run()).toBe(false);
  await confirmClock({ dataDir: service.dataDir, yes: true }, clock.now());
  expect(await run()).toBe(true);
  expect(print).toHaveBeenCalledWith('clock of this machine: 2026-03-01T00:00:00.000Z');
  print.mockRestore();
});

it('a clock that was behind for a while is not taken for one that is ahead', async () => {
  newestEvent(0);
  await run();
  jump(-5000);
  expect(await run()).toBe(true);
  jump(5000);
  expect(await run()).toBe(true);
});

it('a store that does not answer deletes nothing, and a time that cannot be read is replaced', async () => {
  service.engine.answers.sources = () => Promise.reject(new ServiceError('backend_unavailable', 'The store is busy.'));
  expect(await run()).toBe(false);
  newestEvent(0);
  expect(await run()).toBe(true);
  const text = readFileSync(join(service.dataDir, 'clock.json'), 'utf8');
  expect(JSON.parse(text)).toEqual({ known_time: clock.now().toISOString() });
});

it.each(['sources', 'retention'] as const)('a server that stops while it deletes logs no failure: %s', async (call) => {
  service.engine.answers[call] = () =>
    Promise.reject<never>(new ServiceError('draining', 'The service is shutting down.'));
  await run();
  expect(service.logText()).not.toContain('"level":50');
  service.engine.answers[call] = () =>
    Promise.reject<never>(new ServiceError('backend_unavailable', 'The store is busy.'));
  await run();
  expect(service.logText()).toContain('"level":50');
});
