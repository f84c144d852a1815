import { serviceClock } from './service-clock';

const NOW = Date.parse('2026-03-01T12:00:00.700Z');
const answerOf = (date: string | null) => ({ headers: new Headers(date === null ? {} : { Date: date }) });

beforeEach(() => jest.useFakeTimers({ now: NOW }));
afterEach(() => {
  serviceClock.read(answerOf(new Date().toUTCString()));
  jest.useRealTimers();
});

test.each([
  ['a clock that is right', 'Sun, 01 Mar 2026 12:00:00 GMT', NOW],
  ['a clock that is an hour behind', 'Sun, 01 Mar 2026 13:00:00 GMT', NOW - 700 + 3_600_000],
  ['a clock that is a day ahead', 'Sat, 28 Feb 2026 12:00:00 GMT', NOW - 700 - 86_400_000],
  ['an answer without a time', null, NOW],
])('with %s, now is that of the service', (_, date, expected) => {
  serviceClock.read(answerOf(date));
  expect(serviceClock.now()).toBe(expected);
});

test('a clock that was set right is followed', () => {
  serviceClock.read(answerOf('Sun, 01 Mar 2026 13:00:00 GMT'));
  jest.setSystemTime(NOW + 3_600_000);
  serviceClock.read(answerOf('Sun, 01 Mar 2026 13:00:00 GMT'));
  expect(serviceClock.now()).toBe(NOW + 3_600_000);
});
