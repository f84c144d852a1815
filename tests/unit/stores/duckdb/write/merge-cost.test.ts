import { isMergeCheap } from '#server/stores/duckdb/write/merge-cost';

const MEMORY_LIMIT_MB = 512;

interface Facts {
  readonly rows: number;
  readonly columns: number;
  readonly isHeavy?: boolean;
}

const isCheap = (...parts: readonly Facts[]): boolean =>
  isMergeCheap(
    parts.map(({ columns }, n) => ({
      table: String(n),
      columns: new Map(Array.from({ length: columns }, (_, i) => [`c${i}`, 'INT64'])),
    })),
    (table) => parts[Number(table)]!.rows,
    MEMORY_LIMIT_MB,
    { isHeavy: (table) => parts[Number(table)]!.isHeavy ?? false }
  );

it('a merge is cheap for the columns of usual events in any number of days, and for few rows of many columns', () => {
  const days = Array.from({ length: 90 }, () => ({ rows: 2_400_000, columns: 50 }));
  expect(isCheap(...days, { rows: 300, columns: 1_000 })).toBe(true);
  expect(isCheap()).toBe(true);
});

it('a merge is not cheap for a day of many rows and hundreds of columns', () => {
  expect(isCheap({ rows: 300, columns: 50 }, { rows: 2_400_000, columns: 320 })).toBe(false);
});

it('a merge is not cheap for a day of many large rows', () => {
  expect(isCheap({ rows: 300, columns: 50 }, { rows: 300, columns: 5, isHeavy: true })).toBe(false);
});
