/**
 * How many columns a table may have. When a transaction is committed, each column of a table that has rows takes half a
 * megabyte of memory until the next checkpoint. A commit that finds too little fails, and DuckDB (1.5.6) may then
 * refuse every statement.
 */
import { MAX_COLUMNS } from '../../ingest/limits';
import type { SourceState } from './source-state';

/** Limits the columns of a table to half of the memory. */
export const COLUMNS_PER_MIB = 1;
/** For the columns that a source declares, and those that all sources have. */
const OWN_COLUMNS = 16;

/** Maximum columns of the nested fields of a source. */
export function maxColumnsFor(memoryLimitMb: number): number {
  return Math.min(MAX_COLUMNS, memoryLimitMb * COLUMNS_PER_MIB - OWN_COLUMNS);
}

/** @returns what to tell the operator of a source that has got more columns with more memory; null: nothing */
export function memoryFault({ source, tree }: SourceState, memoryLimitMb: number): string | null {
  const { count } = tree.columns;
  if (count <= maxColumnsFor(memoryLimitMb)) return null;
  const neededMb = (count + OWN_COLUMNS) / COLUMNS_PER_MIB;
  return (
    `The source ${source.name} has ${count} columns of nested fields, which need more memory. ` +
    `Set LQE_ENGINE_MEMORY_MB to ${neededMb} or more, otherwise its events may not be stored.`
  );
}
