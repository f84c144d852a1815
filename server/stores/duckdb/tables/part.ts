/**
 * A part is one table: events of one source and one UTC day. A day has at most one sealed part, which never changes,
 * and open ones. Events are written to the last of these; where new columns would take long in a large one, another
 * follows. The name of a part is never used again for other events, so a statement that was compiled for it reads these
 * events or fails.
 */
import type { Composition, PhysicalType } from '#compiler/store';

/** Paths of nested fields, each as its keys. */
export type PathsInColumns = readonly (readonly string[])[];

/** Name under which the file of sealed parts is attached. */
export const SEALED_DATABASE = 'sealed';

/** Names of columns that only the layout of sealed parts knows. No column of a source or a field begins so. */
export const HIDDEN_PREFIX = 'lqe:';

export interface Part {
  readonly table: string;
  /** Null: the file of the open parts. */
  readonly database: typeof SEALED_DATABASE | null;
  /** Days since 1970. */
  readonly day: number;
  /** Version of the sealed part of the day; 0: the day was never sealed. */
  readonly version: number;
  /** Columns in the order of the table. */
  readonly columns: ReadonlyMap<string, PhysicalType>;
  /** Paths of values in columns, for a sealed part whose text has only the other values. */
  readonly inColumns: PathsInColumns | null;
  /** How a sealed part composes its messages. */
  readonly message: Composition | null;
  /** Time of the newest event, microseconds since 1970; null: not read yet. */
  readonly newestMicros: number | null;
}

const MS_PER_DAY = 86_400_000;
const TABLE_PATTERN = /^([a-z][a-z0-9_]*)\/(\d{4}-\d{2}-\d{2})(?:([.+])([1-9]\d{0,14}))?(?:~([1-9]\d?))?$/;

/**
 * @param version of the sealed part that the open part lies beside
 * @param number of the open part among those of the day, from 1
 */
export function partTable(source: string, day: number, version: number, number = 1): string {
  const first = version === 0 ? dayName(source, day) : `${dayName(source, day)}+${version}`;
  return number === 1 ? first : `${first}~${number}`;
}

/** @param version from 1 */
export function sealedTable(source: string, day: number, version: number): string {
  return `${dayName(source, day)}.${version}`;
}

export interface PartName extends Pick<Part, 'database' | 'day' | 'version'> {
  readonly source: string;
  /** Among the open parts of the day, from 1. */
  readonly number: number;
}

/** @returns null for a table that is no part. */
export function parsePartTable(table: string): PartName | null {
  const match = TABLE_PATTERN.exec(table);
  if (match === null) return null;
  return {
    source: match[1]!,
    day: Date.parse(`${match[2]!}T00:00:00Z`) / MS_PER_DAY,
    version: Number(match[4] ?? 0),
    database: match[3] === '.' ? SEALED_DATABASE : null,
    number: Number(match[5] ?? 1),
  };
}

/** @returns e.g. `edge_requests/2026-11-02` */
export function dayName(source: string, day: number): string {
  return `${source}/${new Date(day * MS_PER_DAY).toISOString().slice(0, 10)}`;
}
