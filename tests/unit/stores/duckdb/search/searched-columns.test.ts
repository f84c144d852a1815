import { SearchedColumns } from '#server/stores/duckdb/search/by-tenant/searched-columns';

const HOUR_MS = 60 * 60_000;
const NINE = Array.from({ length: 9 }, (_, i) => `column_${i}`);

test('a column is new once', () => {
  const columns = new SearchedColumns();
  expect([columns.note('url'), columns.note('url'), columns.note('path')]).toEqual(['new', 'known', 'new']);
  expect(columns.names).toEqual(['url', 'path']);
});

test('a ninth column has to wait until one of the eight was not searched for a day', () => {
  let now = 0;
  const columns = new SearchedColumns(() => now);
  expect(NINE.map((column) => columns.note(column))).toEqual([...Array<string>(8).fill('new'), 'refused']);
  now = 23 * HOUR_MS;
  expect([columns.note('column_0'), columns.note('column_8')]).toEqual(['known', 'refused']);
  now = 25 * HOUR_MS;
  expect([columns.note('column_8'), columns.note('column_1')]).toEqual(['new', 'new']);
  expect(columns.names).toEqual([
    'column_3',
    'column_4',
    'column_5',
    'column_6',
    'column_7',
    'column_0',
    'column_8',
    'column_1',
  ]);
});
