import { fromLocalMicros, parseTimeZone, timeZoneName, toLocalMicros } from '#compiler/time/time-zone';

const micros = (iso: string): bigint => BigInt(Date.parse(iso)) * 1000n;
const zone = (text: string) => {
  const parsed = parseTimeZone(text);
  if (parsed === undefined) throw new Error(`no zone ${text}`);
  return parsed;
};

test.each([
  ['UTC', 'UTC'],
  ['utc', 'UTC'],
  ['Etc/UTC', 'UTC'],
  ['+00:00', 'UTC'],
  ['-0', 'UTC'],
  ['+02:00', '+02:00'],
  ['+0530', '+05:30'],
  ['-3', '-03:00'],
  ['UTC+1', '+01:00'],
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['US/Pacific', 'America/Los_Angeles'],
])('%s is read as the time zone %s', (text, name) => {
  expect(timeZoneName(zone(text))).toBe(name);
});

test.each(['', ' UTC', 'Mars/Base', 'CEST', '+15:00', '+02:60', "UTC'; --", 'Europe/Berlin\0', '../etc/passwd'])(
  '%j is not a time zone',
  (text) => {
    expect(parseTimeZone(text)).toBeUndefined();
  }
);

test('each canonical name of a time zone reads as itself', () => {
  for (const text of ['UTC', '-11:30', 'Asia/Kolkata']) {
    expect(parseTimeZone(timeZoneName(zone(text)))).toEqual(zone(text));
  }
});

test('offsets follow daylight saving time', () => {
  const berlin = zone('Europe/Berlin');
  expect(toLocalMicros(micros('2026-03-01T08:00:00Z'), berlin)).toBe(micros('2026-03-01T09:00:00Z'));
  expect(toLocalMicros(micros('2026-07-01T08:00:00Z'), berlin)).toBe(micros('2026-07-01T10:00:00Z'));
  expect(toLocalMicros(-1n, zone('America/New_York'))).toBe(-1n - 5n * 3_600_000_000n);
  expect(fromLocalMicros(micros('2026-07-01T10:00:00Z'), berlin)).toBe(micros('2026-07-01T08:00:00Z'));
});

test('a repeated hour means its first occurrence, and a skipped time is as far after the clock change', () => {
  const berlin = zone('Europe/Berlin');
  expect(fromLocalMicros(micros('2026-03-29T02:30:00Z'), berlin)).toBe(micros('2026-03-29T01:30:00Z'));
  expect(fromLocalMicros(micros('2026-10-25T02:30:00Z'), berlin)).toBe(micros('2026-10-25T00:30:00Z'));
  expect(fromLocalMicros(micros('2026-10-25T03:30:00Z'), berlin)).toBe(micros('2026-10-25T02:30:00Z'));
});
