import { foldCall } from '#compiler/functions/fold';
import { callOf } from '#compiler/ir/operations/call';
import type { CallExpr, Expr, LiteralExpr } from '#compiler/ir/expression';
import { DATE, DATETIME, INT64, STRING, TIMESTAMP, type Type } from '#compiler/ir/types';
import type { TimeUnit } from '#compiler/time/time-units';
import { parseTimeZone, type TimeZone, UTC } from '#compiler/time/time-zone';

const literal = (type: Type, value: LiteralExpr['value']): Expr => ({ kind: 'literal', type, value });
const micros = (iso: string): bigint => BigInt(Date.parse(iso)) * 1000n;
const time = (iso: string): Expr => literal(TIMESTAMP, micros(iso));
const whole = (value: bigint | null): Expr => literal(INT64, value);
const zoneOf = (name: string): TimeZone => parseTimeZone(name) ?? UTC;
const text = (value: string | null, failure: Error | null = null): Expr => {
  return { kind: 'bound', key: `@${value}`, type: STRING, value: { type: 'STRING', value }, failure };
};

test('a time bound of seven days ago is computed when the query is compiled', () => {
  const found = foldCall(
    callOf('time_sub', [time('2026-03-01T12:00:00Z'), whole(7n)], TIMESTAMP, { unit: 'DAY', safe: false })
  );
  expect(found).toEqual(time('2026-02-22T12:00:00Z'));
});

test.each<[TimeUnit, string, string]>([
  ['HOUR', 'UTC', '2026-03-04T15:00:00Z'],
  ['DAY', 'UTC', '2026-03-04T00:00:00Z'],
  ['DAY', '+02:00', '2026-03-03T22:00:00Z'],
  ['DAY', 'Europe/Berlin', '2026-03-03T23:00:00Z'],
  ['WEEK', 'UTC', '2026-03-01T00:00:00Z'],
  ['ISOYEAR', 'UTC', '2025-12-29T00:00:00Z'],
])('the start of a %s in %s is computed when the query is compiled', (unit, zone, expected) => {
  const found = foldCall(
    callOf('time_trunc', [time('2026-03-04T15:47:31Z')], TIMESTAMP, {
      unit,
      zone: zoneOf(zone),
      weekday: 0,
      safe: false,
    })
  );
  expect(found).toEqual(time(expected));
});

test('adding months ends on the last day of the month', () => {
  const january = literal(DATE, 20_484n);
  expect(foldCall(callOf('time_add', [january, whole(1n)], DATE, { unit: 'MONTH', safe: false }))).toEqual(
    literal(DATE, 20_512n)
  );
  const leap = literal(DATETIME, micros('2024-02-29T10:00:00Z'));
  const year = foldCall(callOf('time_add', [leap, whole(1n)], DATETIME, { unit: 'YEAR', safe: false }));
  expect(year).toEqual(literal(DATETIME, micros('2025-02-28T10:00:00Z')));
});

test('a day whose midnight a clock change skips begins at the change', () => {
  const before = time('2026-09-06T12:00:00Z');
  const options = { unit: 'DAY', zone: zoneOf('America/Santiago'), weekday: 0, safe: false } as const;
  expect(foldCall(callOf('time_trunc', [before], TIMESTAMP, options))).toEqual(time('2026-09-06T04:00:00Z'));
});

test('times outside the calendar are left to the store', () => {
  const later = (start: string, days: bigint): Expr =>
    callOf('time_add', [time(start), whole(days)], TIMESTAMP, { unit: 'DAY', safe: false });
  for (const call of [later('9999-12-31T00:00:00Z', 2n), later('2026-03-01T00:00:00Z', 2n ** 62n)]) {
    expect(foldCall(call as CallExpr)).toBeUndefined();
  }
});

test('text is computed only where every store agrees', () => {
  expect(foldCall(callOf('lower', [text('AbC')], STRING))).toEqual(literal(STRING, 'abc'));
  expect(foldCall(callOf('upper', [text('straße')], STRING))).toBeUndefined();
  expect(foldCall(callOf('concat', [text('a'), text('b')], STRING))).toEqual(literal(STRING, 'ab'));
  expect(foldCall(callOf('coalesce', [text(null), text('b')], STRING))).toEqual(literal(STRING, 'b'));
  expect(foldCall(callOf('nullif', [text(''), text('')], STRING))).toEqual(literal(STRING, null));
});

test('a parameter that could not be converted is not a constant', () => {
  expect(foldCall(callOf('lower', [text('a', new Error('bad'))], STRING))).toBeUndefined();
});

test('functions without a rule are left to the store', () => {
  expect(foldCall(callOf('repeat', [text('a'), whole(1000n)], STRING))).toBeUndefined();
});
