import { firstPieceRows } from '#server/stores/duckdb/seal/copy-rows';

test.each([
  { rowBytes: 100, memoryLimitMb: 512, rows: 65_536 },
  { rowBytes: 2_048, memoryLimitMb: 512, rows: 65_536 },
  { rowBytes: 65_536, memoryLimitMb: 512, rows: 2_048 },
  { rowBytes: 65_536, memoryLimitMb: 64, rows: 256 },
  { rowBytes: 1_000_000, memoryLimitMb: 512, rows: 134 },
  { rowBytes: 10_000_000, memoryLimitMb: 128, rows: 8 },
  { rowBytes: 100, memoryLimitMb: 1_000_000, rows: 245_760 },
])('pieces of $rows rows of $rowBytes bytes with $memoryLimitMb MiB', ({ rowBytes, memoryLimitMb, rows }) => {
  expect(firstPieceRows(rowBytes, memoryLimitMb)).toBe(rows);
});
