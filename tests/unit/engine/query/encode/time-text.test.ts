/** @slow 10 */
import fc from 'fast-check';
import { dateText, dateTimeText } from '#server/engine/query/encode/time-text';

const DAY_MS = 86_400_000;
/** The days that the language can write itself. */
const LAST_DAY = 100_000_000;

test('dates are those of JavaScript over all its years', () => {
  fc.assert(
    fc.property(fc.integer({ min: -LAST_DAY, max: LAST_DAY }), (day) => {
      expect(dateText(day)).toBe(new Date(day * DAY_MS).toISOString().split('T')[0]);
    }),
    { numRuns: 2000 }
  );
});

test('each day of 800 years follows the one before', () => {
  for (let day = -200_000; day < 92_194; day += 1) {
    if (dateText(day) !== new Date(day * DAY_MS).toISOString().slice(0, 10)) throw new Error(`day ${day}`);
  }
});

test('any stored time has a text, also beyond the years of JavaScript', () => {
  expect(dateTimeText(9_223_372_036_854_775_806n)).toBe('+294247-01-10T04:00:54.775806');
  expect(dateTimeText(-9_223_372_036_854_775_806n)).toBe('-290308-12-21T19:59:05.224194');
});
