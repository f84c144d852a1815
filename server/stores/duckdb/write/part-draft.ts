/** Parts as the open transaction makes them: created for the first events of a day, or extended by columns. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { PhysicalType } from '#compiler/store';
import type { Source } from '#contract/events/source';
import type { FieldNode } from '../../ingest/fields/field-tree';
import type { SourceState } from '../sources/source-state';
import { columnDefinition } from '../tables/column-definition';
import { columnTypeOf, duckDbType } from '../tables/column-types';
import { type Part, partTable } from '../tables/part';
import { quoteName } from '../tables/quoting';
import { METADATA_COLUMN } from '../tables/stored-columns';
import { openPartsOf, storedDays } from '../tables/stored-parts';
import { countRows } from '../read/stored-rows';
import { FORMAT_WITH_SEVERAL_OPEN, raiseFormat } from '../file/format-version';
import { fieldsWithColumns } from '../sources/fields-with-columns';
import { hasColumnFor } from './insert-statement';

/** A part in the state after the commit of the transaction. */
export interface PartDraft extends Part {
  readonly newestMicros: number;
  readonly hasNewColumns: boolean;
}

/** A column in a table with rows takes 50 ns of processor time for each row: half now, half at the next checkpoint. */
const MOST_NEW_VALUES = 4_000_000;
/** The same for a column that becomes another type. */
const WIDENED_WEIGHT = 2;
/** Each part of a day is one more table that queries read. */
const MOST_OPEN_PARTS = 32;

/**
 * True when the columns that a batch needs would hold up the writer, and so all senders, for about 0.2 s and more.
 * Fields with another part have these columns from the start.
 */
export async function isLongToExtend(
  connection: DuckDBConnection,
  state: SourceState,
  part: Part,
  fields: readonly FieldNode[]
): Promise<boolean> {
  if (openPartsOf(state, part.day).length >= MOST_OPEN_PARTS) return false;
  const missing = fields.filter((node) => node.column !== null && !hasColumnFor(part.columns, node));
  const widened = missing.filter(({ column }) => part.columns.has(column!)).length;
  const own = Object.keys(state.source.columns).filter((name) => !part.columns.has(name)).length;
  const columns = own + missing.length - widened + WIDENED_WEIGHT * widened;
  return columns > 0 && columns * (await countRows(connection, part)) > MOST_NEW_VALUES;
}

/**
 * Creates the first open part of a day, or one that follows a large one.
 * @param fields with values in the batch @param before the part that it follows
 */
export async function createPart(
  connection: DuckDBConnection,
  state: SourceState,
  day: number,
  fields: readonly FieldNode[],
  before?: Part
): Promise<PartDraft> {
  const columns = new Map<string, PhysicalType>([
    ['id', 'STRING'],
    ['timestamp', 'TIMESTAMP'],
    ['event_message', 'STRING'],
    ...Object.entries(state.source.columns),
  ]);
  // A new latest day will get most fields; an earlier day may get only a few late events.
  const isNewest = storedDays(state).every((other) => other < day);
  for (const node of isNewest ? fieldsWithColumns(state.tree.root) : fields) {
    // A later batch that is being read at the same time may remove the column of a field.
    if (node.column !== null) columns.set(node.column, columnTypeOf(node));
  }
  for (const [name, type] of before?.columns ?? []) if (!columns.has(name)) columns.set(name, type);
  columns.set(METADATA_COLUMN, 'STRING');
  const version = state.sealed.get(day)?.version ?? 0;
  if (before !== undefined) await raiseFormat(connection, FORMAT_WITH_SEVERAL_OPEN);
  const table = partTable(state.source.name, day, version, openPartsOf(state, day).length + 1);
  const definitions = [...columns].map(([name, type]) => columnDefinition(name, type));
  await connection.run(`CREATE TABLE ${quoteName(table)} (${definitions.join(', ')})`);
  return {
    table,
    database: null,
    day,
    version,
    columns,
    inColumns: null,
    message: null,
    newestMicros: -Infinity,
    hasNewColumns: true,
  };
}

/** Adds the columns that a batch needs, and widens those that are too narrow. @param fields with values in the batch */
export async function extendPart(
  connection: DuckDBConnection,
  part: Part,
  source: Source,
  fields: readonly FieldNode[]
): Promise<PartDraft> {
  const newestMicros = part.newestMicros ?? (await newestEvent(connection, part.table));
  const columns = new Map(part.columns);
  for (const [name, type] of Object.entries(source.columns)) {
    if (columns.has(name)) continue;
    await addColumn(connection, part.table, name, type);
    columns.set(name, type);
  }
  for (const node of fields) {
    // As in a new part.
    const { column } = node;
    if (column === null || hasColumnFor(columns, node)) continue;
    const type = columnTypeOf(node);
    if (columns.has(column)) await widenColumn(connection, part.table, column, type);
    else await addColumn(connection, part.table, column, type);
    columns.set(column, type);
  }
  const hasNewColumns = [...columns].some(([name, type]) => part.columns.get(name) !== type);
  return { ...part, columns, newestMicros, hasNewColumns };
}

async function newestEvent(connection: DuckDBConnection, table: string): Promise<number> {
  const reader = await connection.runAndReadAll(`SELECT max(epoch_us("timestamp")) FROM ${quoteName(table)}`);
  const [[micros = null] = []] = reader.getRows();
  return micros === null ? -Infinity : Number(micros);
}

async function addColumn(connection: DuckDBConnection, table: string, name: string, type: PhysicalType): Promise<void> {
  await connection.run(`ALTER TABLE ${quoteName(table)} ADD COLUMN ${columnDefinition(name, type)}`);
}

async function widenColumn(
  connection: DuckDBConnection,
  table: string,
  name: string,
  type: PhysicalType
): Promise<void> {
  await connection.run(`ALTER TABLE ${quoteName(table)} ALTER COLUMN ${quoteName(name)} TYPE ${duckDbType(type)}`);
}
