import fc from 'fast-check';
import { timeText } from '#server/stores/clickhouse/connection/time-text';

test.each([
  [0, '1970-01-01 00:00:00.000000'],
  [-1, '1969-12-31 23:59:59.999999'],
  [1_772_359_205_123_456, '2026-03-01 10:00:05.123456'],
  [-62_135_596_800_000_000, '0001-01-01 00:00:00.000000'],
])('%d microseconds are written as %s', (micros, text) => {
  expect(timeText(micros)).toBe(text);
});

test('a time text is read with its microseconds', () => {
  fc.assert(
    fc.property(fc.integer({ min: -8_000_000_000_000_000, max: 8_000_000_000_000_000 }), (micros) => {
      const text = timeText(micros);
      const millis = Date.parse(`${text.slice(0, 10)}T${text.slice(11, 23)}Z`);
      expect(millis * 1000 + Number(text.slice(23))).toBe(micros);
    })
  );
});
