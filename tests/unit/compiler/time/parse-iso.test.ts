import {
  formatDays,
  formatMicros,
  MAX_MICROS,
  MIN_MICROS,
  parseIsoDate,
  parseIsoTimestamp,
} from '#compiler/time/parse-iso';

const micros = (iso: string): bigint => BigInt(Date.parse(iso)) * 1000n;

test.each([
  ['2026-03-01', '2026-03-01T00:00:00Z'],
  ['2026-3-1', '2026-03-01T00:00:00Z'],
  ['2026-03-01 08:00', '2026-03-01T08:00:00Z'],
  ['2026-03-01T08:00:00', '2026-03-01T08:00:00Z'],
  ['2026-03-01t08:00:00z', '2026-03-01T08:00:00Z'],
  ['2026-03-01T08:00:00Z', '2026-03-01T08:00:00Z'],
  ['2026-03-01 08:00:00 UTC', '2026-03-01T08:00:00Z'],
  ['2026-03-01 08:00:00+00', '2026-03-01T08:00:00Z'],
  ['2026-03-01T08:00:00+02:00', '2026-03-01T06:00:00Z'],
  ['2026-03-01T08:00:00-05:30', '2026-03-01T13:30:00Z'],
  ['2024-02-29', '2024-02-29T00:00:00Z'],
  ['  2026-03-01  ', '2026-03-01T00:00:00Z'],
])('%j is a valid time', (text, iso) => {
  expect(parseIsoTimestamp(text)).toBe(micros(iso));
});

test.each([
  ['2026-03-01T08:00:00.1Z', 100_000n],
  ['2026-03-01T08:00:00.123456Z', 123_456n],
  ['2026-03-01T08:00:00.123456789Z', 123_456n],
])('%j keeps its fraction of a second to the microsecond', (text, fraction) => {
  expect(parseIsoTimestamp(text)).toBe(micros('2026-03-01T08:00:00Z') + fraction);
});

test.each([
  '',
  'now',
  'infinity',
  'epoch',
  '2026',
  '2026-02-29',
  '2026-13-01',
  '2026-00-10',
  '2026-04-31',
  '0000-01-01',
  '20260301',
  '2026-03-01T24:00:00Z',
  '2026-03-01T23:60:00Z',
  '2026-03-01T23:59:60Z',
  '2026-03-01T08:00:00+15:00',
  '2026-03-01T08:00:00+02:60',
  '2026-03-01T08:00:00 02:00',
  '2026-03-01T08:00:00.Z',
  '2026-03-01T08:00:00.1234567891Z',
  '2026-03-01T08:00:00Z; drop table x',
  '9999-12-31T23:59:59-01:00',
])('%j is not a valid time', (text) => {
  expect(parseIsoTimestamp(text)).toBeNull();
});

test('the first and last instants are in range', () => {
  expect(parseIsoTimestamp('0001-01-01T00:00:00Z')).toBe(MIN_MICROS);
  expect(parseIsoTimestamp('9999-12-31T23:59:59.999999Z')).toBe(MAX_MICROS);
});

test('a date has no time of day', () => {
  expect(parseIsoDate('1970-01-02')).toBe(1n);
  expect(parseIsoDate('1969-12-31')).toBe(-1n);
  expect(parseIsoDate('1970-01-02T00:00:00')).toBeNull();
});

test('a time that is read and written is the same time', () => {
  expect(formatMicros(0n)).toBe('1970-01-01 00:00:00');
  expect(formatMicros(-1n)).toBe('1969-12-31 23:59:59.999999');
  expect(formatMicros(MIN_MICROS)).toBe('0001-01-01 00:00:00');
  expect(formatDays(-1n)).toBe('1969-12-31');
});
