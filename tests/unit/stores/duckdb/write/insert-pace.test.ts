/** The pace of recent inserts tells how long waiting batches will take. */
import { InsertPace } from '#server/stores/duckdb/write/insert-pace';

it('nothing is known before the first insert', () => {
  const pace = new InsertPace();
  expect([pace.estimateMs({ rows: 8000, bytes: 6e6 }), pace.rowsWithin(100)]).toEqual([0, Infinity]);
});

it('rows of the same size are estimated by the time of the last ones', () => {
  const pace = new InsertPace();
  pace.note({ rows: 1000, bytes: 100_000 }, 100);
  expect(pace.estimateMs({ rows: 4000, bytes: 400_000 })).toBeCloseTo(400);
  expect(pace.rowsWithin(150)).toBeCloseTo(1500);
});

it('the lower estimate counts for rows of another size', () => {
  const pace = new InsertPace();
  pace.note({ rows: 10, bytes: 1_000_000 }, 100);
  expect(pace.estimateMs({ rows: 1000, bytes: 100_000 })).toBeCloseTo(10);
  expect(pace.estimateMs({ rows: 1, bytes: 10_000_000 })).toBeCloseTo(10);
});

it('a machine that becomes slow or fast is followed', () => {
  const pace = new InsertPace();
  const size = { rows: 1000, bytes: 100_000 };
  const follow = (ms: number): number => {
    for (let n = 0; n < 20; n++) pace.note(size, ms);
    return pace.estimateMs(size);
  };
  expect([10, 500, 20].map((ms) => Math.round(follow(ms)))).toEqual([10, 500, 20]);
});

it('an insert of no rows, or in no time, is no failure', () => {
  const pace = new InsertPace();
  pace.note({ rows: 0, bytes: 0 }, 0);
  expect([pace.estimateMs({ rows: 10, bytes: 10 }), pace.rowsWithin(1)]).toEqual([0, Infinity]);
});
