/** RANGE frames that ClickHouse cannot run are refused where the caller wrote them; large amounts of DuckDB. */
import { sqlOf } from './printed-sql';

function withAmount(amount: number | bigint): string {
  return `select id, sum(m.n) over (order by m.n range between ${amount} preceding and current row) as s from calls cross join unnest(metadata) as m`;
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

test('an amount whose sum with a key INT64 may not hold is added in a wider type on DuckDB', () => {
  const [largest = ''] = sqlOf(withAmount(2n ** 63n - 1n), 'INT64');
  expect(largest).toMatch(
    /ORDER BY CAST\(.* AS HUGEINT\) .* RANGE BETWEEN CAST\(9223372036854775807 AS HUGEINT\) PRECEDING/
  );
  expect(sqlOf(withAmount(2n ** 62n - 1n), 'INT64')[0]).not.toContain('HUGEINT');
});
