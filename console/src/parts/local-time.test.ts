import { localToApi } from './local-time';

/** Midnight in the zone of the process. */
const midnight = (month: number, day: number): string => new Date(2026, month - 1, day).toISOString();

it('a day begins and ends at midnight of the reader, and is included on both sides', () => {
  expect(localToApi('2026-03-01', 'since')).toBe(midnight(3, 1));
  expect(localToApi('2026-03-31', 'until')).toBe(midnight(4, 1));
});

it('a time of day without a zone is one of the reader', () => {
  const time = new Date(2026, 2, 1, 8, 30).toISOString();
  expect([localToApi('2026-03-01 08:30', 'until'), localToApi('2026-03-01T08:30:00', 'since')]).toEqual([time, time]);
});

it.each(['', '2026-03-01T08:30:00Z', '2026-03-01T08:30:00+02:00', '2026-13-01', '90d', 'nonsense'])(
  'the API gets %j as it is',
  (text) => {
    expect(localToApi(text, 'until')).toBe(text);
  }
);
