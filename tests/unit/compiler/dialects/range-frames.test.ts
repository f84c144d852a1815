/** RANGE frames that a store cannot run are refused where the caller wrote them; keys and amounts that are large. */
import { sqlOf } from './printed-sql';

function withAmount(amount: number | bigint | string, key = 'm.n'): string {
  return `select id, sum(m.n) over (order by ${key} range between ${amount} preceding and current row) as s from calls cross join unnest(metadata) as m`;
}

test('an amount that no power of two divides is refused at the call', () => {
  expect(() => sqlOf(withAmount(3000000001), 'FLOAT64')).toThrow(
    expect.objectContaining({
      message: 'on ClickHouse, amounts of this RANGE frame must be multiples of 2',
      details: expect.objectContaining({ reason: 'not_supported', position: { line: 1, column: 12 } }),
    })
  );
});

test('the smallest amount that ClickHouse does not take is refused, and the one below it printed', () => {
  expect(sqlOf(withAmount(2147483646), 'INT64')[1]).toContain("RANGE BETWEEN toInt64('2147483646') PRECEDING");
  expect(() => sqlOf(withAmount(2147483647), 'INT64')).toThrow('must be multiples of 2');
});

test.each([
  ['m.n', 1n, true],
  ['m.n', 2n ** 63n - 1n, true],
  ['unix_micros(timestamp)', 2n ** 62n - 1n, false],
  ['unix_micros(timestamp)', 2n ** 62n, true],
])('the sum of %s and %d is computed in a type that holds it on DuckDB', (key, amount, isWide) => {
  const [sql = ''] = sqlOf(withAmount(amount, key), 'INT64');
  expect(/ORDER BY CAST\(.* AS HUGEINT\) .* RANGE BETWEEN CAST\(\d+ AS HUGEINT\) PRECEDING/.test(sql)).toBe(isWide);
});

test('a key with a subquery is refused at the call, which DuckDB could not copy', () => {
  expect(() => sqlOf(withAmount(1, '(select m.n)'), 'INT64')).toThrow(
    expect.objectContaining({
      message: 'on DuckDB, the key of a RANGE frame with an amount cannot contain a subquery',
      details: expect.objectContaining({ reason: 'not_supported', position: { line: 1, column: 12 } }),
    })
  );
});

test('ClickHouse multiplies a key until fractions are whole, and refuses those that never are', () => {
  const [duckDb = '', clickHouse = ''] = sqlOf(withAmount('0.375', 'm.cost'), 'FLOAT64');
  expect(duckDb).toMatch(/RANGE BETWEEN CAST\('0\.375' AS DOUBLE\) PRECEDING/);
  expect(clickHouse).toMatch(/\* 8\).* RANGE BETWEEN 3 PRECEDING/);
  for (const amount of ['0.1', '2147483646.5', '1e300'])
    expect(() => sqlOf(withAmount(amount, 'm.cost'), 'FLOAT64')).toThrow(
      expect.objectContaining({
        message: 'on ClickHouse, an amount with a fraction must be a small multiple of 0.5, 0.25, 0.125 and so on',
        details: expect.objectContaining({ reason: 'not_supported', position: { line: 1, column: 12 } }),
      })
    );
});
