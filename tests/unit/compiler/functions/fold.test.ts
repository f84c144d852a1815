import { foldCall } from '#compiler/functions/fold';
import type { Expr, LiteralExpr } from '#compiler/ir/expression';
import { DATE, DATETIME, INT64, STRING, TIMESTAMP, type Type } from '#compiler/ir/types';

const literal = (type: Type, value: LiteralExpr['value']): Expr => ({ kind: 'literal', type, value });
const micros = (iso: string): bigint => BigInt(Date.parse(iso)) * 1000n;
const time = (iso: string): Expr => literal(TIMESTAMP, micros(iso));
const whole = (value: bigint | null): Expr => literal(INT64, value);
const text = (value: string | null, failure: Error | null = null): Expr => {
  return { kind: 'bound', key: `@${value}`, type: STRING, value: { type: 'STRING', value }, failure };
};

test('a time bound of seven days ago is computed when the query is compiled', () => {
  const found = foldCall('time_sub', [time('2026-03-01T12:00:00Z'), whole(7n)], { unit: 'DAY' });
  expect(found).toEqual(time('2026-02-22T12:00:00Z'));
});

test.each([
  ['HOUR', 'UTC', '2026-03-04T15:00:00Z'],
  ['DAY', 'UTC', '2026-03-04T00:00:00Z'],
  ['DAY', '+02:00', '2026-03-03T22:00:00Z'],
  ['DAY', 'Europe/Berlin', '2026-03-03T23:00:00Z'],
  ['WEEK', 'UTC', '2026-03-01T00:00:00Z'],
  ['ISOYEAR', 'UTC', '2025-12-29T00:00:00Z'],
])('the start of a %s in %s is computed when the query is compiled', (unit, zone, expected) => {
  const found = foldCall('time_trunc', [time('2026-03-04T15:47:31Z')], { unit, zone, weekday: 0 });
  expect(found).toEqual(time(expected));
});

test('adding months ends on the last day of the month', () => {
  const january = literal(DATE, 20_484n);
  expect(foldCall('time_add', [january, whole(1n)], { unit: 'MONTH' })).toEqual(literal(DATE, 20_512n));
  const leap = literal(DATETIME, micros('2024-02-29T10:00:00Z'));
  const year = foldCall('time_add', [leap, whole(1n)], { unit: 'YEAR' });
  expect(year).toEqual(literal(DATETIME, micros('2025-02-28T10:00:00Z')));
});

test('a midnight that a clock change skips is left to the store', () => {
  const before = time('2026-09-06T12:00:00Z');
  expect(foldCall('time_trunc', [before], { unit: 'DAY', zone: 'America/Santiago', weekday: 0 })).toBeUndefined();
});

test('times outside the calendar are left to the store', () => {
  expect(foldCall('time_add', [time('9999-12-31T00:00:00Z'), whole(2n)], { unit: 'DAY' })).toBeUndefined();
  expect(foldCall('time_add', [time('2026-03-01T00:00:00Z'), whole(2n ** 62n)], { unit: 'DAY' })).toBeUndefined();
});

test('text is computed only where every store agrees', () => {
  expect(foldCall('lower', [text('AbC')])).toEqual(literal(STRING, 'abc'));
  expect(foldCall('upper', [text('straße')])).toBeUndefined();
  expect(foldCall('concat', [text('a'), text('b')])).toEqual(literal(STRING, 'ab'));
  expect(foldCall('coalesce', [text(null), text('b')])).toEqual(literal(STRING, 'b'));
  expect(foldCall('nullif', [text(''), text('')])).toEqual(literal(STRING, null));
});

test('a parameter that could not be converted is not a constant', () => {
  expect(foldCall('lower', [text('a', new Error('bad'))])).toBeUndefined();
});

test('functions without a rule are left to the store', () => {
  expect(foldCall('repeat', [text('a'), whole(1000n)])).toBeUndefined();
  expect(foldCall('constructor', [text('a')])).toBeUndefined();
  expect(foldCall('lower', [])).toBeUndefined();
});
