import { maxColumnsFor, memoryFault } from '#server/stores/duckdb/sources/column-memory';
import type { SourceState } from '#server/stores/duckdb/sources/source-state';

const stateWith = (columns: number): SourceState =>
  ({ source: { name: 'events' }, tree: { columns: { count: columns } } }) as unknown as SourceState;

test.each([
  { memoryLimitMb: 64, columns: 48 },
  { memoryLimitMb: 256, columns: 240 },
  { memoryLimitMb: 512, columns: 400 },
  { memoryLimitMb: 100_000, columns: 400 },
])('$columns columns with $memoryLimitMb MiB', ({ memoryLimitMb, columns }) => {
  expect(maxColumnsFor(memoryLimitMb)).toBe(columns);
  expect(memoryFault(stateWith(columns), memoryLimitMb)).toBeNull();
});

test('the operator learns which memory is enough for columns of a time with more of it', () => {
  const fault = memoryFault(stateWith(390), 128);
  expect(fault).toContain('The source events has 390 columns');
  const needed = Number(/LQE_ENGINE_MEMORY_MB to (\d+)/.exec(fault!)![1]);
  expect(memoryFault(stateWith(390), needed)).toBeNull();
  expect(memoryFault(stateWith(390), needed - 1)).not.toBeNull();
});
