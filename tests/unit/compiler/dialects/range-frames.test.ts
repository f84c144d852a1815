/** RANGE frames that ClickHouse cannot run are refused where the caller wrote them. */
import { sqlOf } from './printed-sql';

test('an amount that no power of two divides is refused at the call', () => {
  const query = `select id, sum(m.n) over (order by m.n range between 3000000001 preceding and current row) as s from calls cross join unnest(metadata) as m`;
  expect(() => sqlOf(query, 'FLOAT64')).toThrow(
    expect.objectContaining({
      message: 'on ClickHouse, amounts of this RANGE frame must be multiples of 2',
      details: expect.objectContaining({ reason: 'not_supported', position: { line: 1, column: 12 } }),
    })
  );
});
