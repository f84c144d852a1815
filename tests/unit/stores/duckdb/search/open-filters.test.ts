import type { DuckDBConnection } from '@duckdb/node-api';
import { BLOCK_ROWS } from '#server/stores/duckdb/search/filter-layout';
import { OpenFilters } from '#server/stores/duckdb/search/open-filters';
import { NO_PARTS } from '#server/stores/duckdb/tables/stored-parts';
import type { SourceState } from '#server/stores/duckdb/sources/source-state';
import type { Part } from '#server/stores/duckdb/tables/part';

const PART: Part = {
  table: 'events/2026-01-01',
  database: null,
  day: 20_454,
  version: 0,
  columns: new Map([['event_message', 'STRING']]),
  inColumns: null,
  message: null,
  newestMicros: null,
};

/** @returns what is reported to the operator where each read of the part fails so */
async function problemsOf(message: string): Promise<readonly unknown[]> {
  const problems: unknown[] = [];
  const filters = new OpenFilters({
    maxBytes: 1_000_000,
    states: new Map([['events', { ...NO_PARTS, parts: new Map([[PART.day, PART]]) } as unknown as SourceState]]),
    searched: (_, part) => ({ part, column: 'event_message', tenantColumn: null }),
    connect: () =>
      Promise.resolve({
        runAndReadAll: () => Promise.reject(new Error(message)),
        closeSync: () => undefined,
      } as unknown as DuckDBConnection),
    rowsOf: () => 8 * BLOCK_ROWS,
    onProblem: (error) => problems.push(error),
  });
  await filters.settled();
  await filters.close();
  return problems;
}

test('a part that is dropped while it is read is no problem', async () => {
  expect(await problemsOf('Catalog Error: Table with name events/2026-01-01 does not exist!')).toEqual([]);
  expect(await problemsOf('IO Error: Could not read from file')).toHaveLength(1);
});
