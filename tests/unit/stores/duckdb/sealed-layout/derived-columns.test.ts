import { findDerivedColumns } from '#server/stores/duckdb/sealed-layout/derived-columns';

const ROWS = 40;

function columnsOf(
  count: number,
  text: (column: number, row: number) => string | null
): Map<string, (string | null)[]> {
  const rows = Array.from({ length: ROWS }, (_, row) => row);
  return new Map(Array.from({ length: count }, (_, column) => [`c${column}`, rows.map((row) => text(column, row))]));
}

test('columns with the text of another one, as it is or between constants', async () => {
  const found = await findDerivedColumns(
    columnsOf(4, (column, row) => ['a%', 'a%', '<a%>', 'b%'][column]!.replace('%', String(row))),
    () => Promise.resolve()
  );
  expect(found).toEqual([
    { name: 'c2', from: 'c0', prefix: '<', suffix: '>' },
    { name: 'c1', from: 'c0', prefix: '', suffix: '' },
  ]);
});

test('other work runs between any two columns that are compared', async () => {
  const columns = 20;
  let pauses = 0;
  const found = await findDerivedColumns(
    columnsOf(columns, (column, row) => (row === ROWS - 1 ? `${column}` : `request ${row}`)),
    () => Promise.resolve(void pauses++)
  );
  expect(found).toEqual([]);
  expect(pauses).toBeGreaterThanOrEqual(columns * (columns - 1));
});
