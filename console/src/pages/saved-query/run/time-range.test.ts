import { parseTime } from './time-range';

it.each([
  ['2026-03-01', '2026-03-01T00:00:00Z'],
  ['2026-03-01T08:00:00', '2026-03-01T08:00:00Z'],
  ['2026-03-01 08:00:00.5', '2026-03-01T08:00:00.5Z'],
  ['2026-03-01T08:00:00Z', '2026-03-01T08:00:00Z'],
  ['2026-03-01T08:00:00+05:30', '2026-03-01T02:30:00Z'],
  ['2026-03-01T08:00:00-0800', '2026-03-01T16:00:00Z'],
])('the parameter %s is shown as the time that the service takes it for', (text, time) => {
  expect(new Date(parseTime(text)).toISOString()).toBe(new Date(time).toISOString());
});

it('another text is no time', () => {
  expect(parseTime('yesterday')).toBeNaN();
});
