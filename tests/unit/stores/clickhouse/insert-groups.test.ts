/** Which rows are stored by one insert. */
import { MICROS_PER_DAY } from '#server/stores/ingest/event/timestamp';
import { ByteOutput } from '#server/stores/clickhouse/rows/byte-output';
import { insertGroups, MAX_DAYS } from '#server/stores/clickhouse/write/insert-groups';
import type { WaitingRow } from '#server/stores/clickhouse/write/waiting-batches';

const row = (day: number, columns = 'id'): WaitingRow => ({
  index: 0,
  id: String(day),
  tenant: null,
  micros: day * MICROS_PER_DAY + 1,
  hasOwnTime: true,
  output: new ByteOutput(1),
  start: 0,
  end: 0,
  columns,
  text: () => '',
});
const daysOf = (rows: readonly WaitingRow[]): Set<string> => new Set(rows.map(({ id }) => id));

it('rows of up to 100 days that list the same columns are one insert, in their order', () => {
  const rows = Array.from({ length: 3 * MAX_DAYS }, (_, n) => row(-(n % MAX_DAYS)));
  expect(insertGroups(rows)).toEqual([rows]);
});

it('rows of more days are several inserts of 100 days, each day in one of them', () => {
  const rows = Array.from({ length: 750 }, (_, n) => row((n * 7) % 250));
  const groups = insertGroups(rows);
  expect(groups.map((group) => daysOf(group).size)).toEqual([MAX_DAYS, MAX_DAYS, 50]);
  expect(new Set(groups.flatMap((group) => [...daysOf(group)])).size).toBe(250);
  expect(new Set(groups.flat())).toEqual(new Set(rows));
});

it('rows that list other columns are another insert', () => {
  const rows = [row(1), row(2), row(3, 'id, x')];
  expect(insertGroups(rows)).toEqual([rows.slice(0, 2), rows.slice(2)]);
});
