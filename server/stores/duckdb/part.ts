/** A part is one table: the events of one source and one UTC day. */
import type { PhysicalType } from '#compiler/store';

export interface Part {
  readonly table: string;
  /** Days since 1970. */
  readonly day: number;
  /** Columns in the order of the table. */
  readonly columns: ReadonlyMap<string, PhysicalType>;
  /** Time of the newest event, microseconds since 1970; null: not read yet. */
  readonly newestMicros: number | null;
}

const MS_PER_DAY = 86_400_000;
const TABLE_PATTERN = /^([a-z][a-z0-9_]*)\/(\d{4}-\d{2}-\d{2})$/;

export function partTable(source: string, day: number): string {
  return `${source}/${new Date(day * MS_PER_DAY).toISOString().slice(0, 10)}`;
}

/** @returns null for a table that is no part. */
export function parsePartTable(table: string): { readonly source: string; readonly day: number } | null {
  const match = TABLE_PATTERN.exec(table);
  if (match === null) return null;
  return { source: match[1]!, day: Date.parse(`${match[2]!}T00:00:00Z`) / MS_PER_DAY };
}
