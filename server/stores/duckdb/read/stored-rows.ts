/** Reads the rows of a store file for a copy. The store itself must be closed. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Source } from '#contract/events/source';
import { type FieldFact, readFieldFact } from '../../ingest/fields/field-fact';
import { METADATA_COLUMN } from '../tables/stored-columns';
import { loadParts } from '../sources/load-parts';
import type { Part } from '../tables/part';
import { quoteName, quotePart } from '../tables/quoting';
import { printRowRange } from '../tables/row-range';
import { NO_PARTS, partsOf, storedDays as daysOf } from '../tables/stored-parts';

/** Digest of the rows of a day, independent of their order. */
export interface DayDigest {
  readonly rows: number;
  /** Sums of the first and of the second 32 bits of each row's MD5. */
  readonly sums: readonly [bigint, bigint];
}

/** Events of a UTC day. */
export interface StoredDay {
  readonly day: number;
  /** At least one. */
  readonly parts: readonly Part[];
}

/** Oldest day first. */
export async function storedDays(connection: DuckDBConnection, source: Source): Promise<readonly StoredDay[]> {
  const stored = (await loadParts(connection, [source])).get(source.name) ?? NO_PARTS;
  return daysOf(stored).map((day) => ({ day, parts: partsOf(stored, day) }));
}

export async function storedFields(connection: DuckDBConnection, source: Source): Promise<FieldFact[]> {
  const reader = await connection.runAndReadAll(
    `SELECT path, kind, type, physical, tenant FROM lqe_fields LEFT JOIN lqe_field_tenants USING (source, path)
     WHERE source = $1 ORDER BY len(path), path`,
    [source.name]
  );
  return reader
    .getRows()
    .map(([path, kind, type, column, tenant]) => readFieldFact({ path, kind, type, column, tenant }));
}

export async function countRows(connection: DuckDBConnection, part: Part): Promise<number> {
  const reader = await connection.runAndReadAll(`SELECT count(*) FROM ${quotePart(part)}`);
  return Number(reader.getRows()[0]![0]);
}

/** Events in ingestion format, one JSON object per line. @param from row number in the part, which does not change. */
export async function readEvents(
  connection: DuckDBConnection,
  source: Source,
  part: Part,
  from: number,
  count: number
): Promise<Buffer> {
  const own = Object.keys(source.columns).filter((name) => part.columns.has(name));
  const reader = await connection.runAndReadAll(
    `SELECT id, epoch_us("timestamp"), ${METADATA_COLUMN}, event_message${own.map((name) => `, ${quoteName(name)}`).join('')}
     FROM ${quotePart(part)} ${printRowRange(part, from, from + count)}`
  );
  const lines = reader.getRows().map(([id, micros, metadata, message, ...values]) => {
    const ownText = own.map((name, i) => jsonMember(name, values[i]));
    return `{"id":${JSON.stringify(id)},"timestamp":${String(micros)}${jsonMember('event_message', message)}${ownText.join('')},"metadata":${String(metadata)}}\n`;
  });
  return Buffer.from(lines.join(''));
}

/** Digest over the values that are texts in every store. */
export async function digestDay(
  connection: DuckDBConnection,
  source: Source,
  { parts }: StoredDay
): Promise<DayDigest> {
  const texts = storedTexts(source, parts);
  const selects = parts.map((part) => `SELECT * FROM ${quotePart(part)}`);
  return digestRows(connection, `(${selects.join(' UNION ALL BY NAME ')})`, texts);
}

/** Own columns of type STRING that a part has. */
export function storedTexts(source: Source, parts: readonly Part[]): readonly string[] {
  return Object.entries(source.columns)
    .filter(([name, type]) => type === 'STRING' && parts.some((part) => part.columns.has(name)))
    .map(([name]) => name);
}

/** @param relation a table, or a table function over a file of events. @param texts own columns of type STRING */
export async function digestRows(
  connection: DuckDBConnection,
  relation: string,
  texts: readonly string[]
): Promise<DayDigest> {
  const parts = ['id', `CAST(epoch_us("timestamp") AS VARCHAR)`, METADATA_COLUMN];
  for (const name of ['event_message', ...texts]) parts.push(`coalesce('+' || ${quoteName(name)}, '-')`);
  const digest = `md5(concat_ws('|', ${parts.join(', ')}))`;
  const half = (start: number): string => `sum(CAST('0x' || substr(digest, ${start}, 8) AS UBIGINT))`;
  const reader = await connection.runAndReadAll(
    `SELECT count(*), ${half(1)}, ${half(9)} FROM (SELECT ${digest} AS digest FROM ${relation})`
  );
  const [rows, first, second] = reader.getRows()[0]!;
  return { rows: Number(rows), sums: [BigInt(String(first ?? 0)), BigInt(String(second ?? 0))] };
}

function jsonMember(name: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  return `,${JSON.stringify(name)}:${typeof value === 'bigint' ? String(value) : JSON.stringify(value)}`;
}
