/**
 * Reads the existing parts and their columns from the databases themselves. Of sealed parts there is a list besides,
 * which says which of them are in force: see `sealed-tables.ts`.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { ServiceError } from '#contract/errors';
import type { Source } from '#contract/events/source';
import type { PhysicalType } from '#compiler/store';
import { STORED_TYPES_HINT } from '../../ingest/fields/declared-fields';
import { physicalType } from '../tables/column-types';
import { HIDDEN_PREFIX, type Part, parsePartTable, SEALED_DATABASE } from '../tables/part';
import { quotePart } from '../tables/quoting';
import { parseComment } from '../sealed-layout/table-comment';
import { loadSealedTables } from '../file/sealed-tables';
import { allParts, type StoredParts, storedDays } from '../tables/stored-parts';

/**
 * @param missing sealed parts in force that are known to be lost
 * @returns parts by source. Parts of sources that are no longer declared are ignored.
 * @throws ServiceError `definition_invalid` when a declared column is stored with another type, `backend_unavailable`
 * with `reason: sealed_missing` when a sealed part is not there
 */
export async function loadParts(
  connection: DuckDBConnection,
  sources: readonly Source[],
  missing: ReadonlySet<string> = new Set()
): Promise<Map<string, StoredParts>> {
  const tables = await columnsByTable(connection);
  const inForce = await loadSealedTables(connection);
  const comments = await sealedComments(connection);
  for (const table of inForce) if (!tables.has(table) && !missing.has(table)) throw sealedMissing(table);
  const bySource = new Map(
    sources.map(({ name }) => [name, { open: new Map<number, Numbered[]>(), sealed: new Map<number, Part>() }])
  );
  for (const [table, columns] of tables) {
    const name = parsePartTable(table);
    const found = name === null ? undefined : bySource.get(name.source);
    if (name === null || found === undefined) continue;
    const { database, day, version, number } = name;
    if (database !== null && !inForce.has(table)) continue;
    const layout = parseComment(database === null ? null : (comments.get(table) ?? null));
    const part: Part = { table, database, day, version, columns, ...layout, newestMicros: null };
    if (database === null) found.open.set(day, [...(found.open.get(day) ?? []), { number, part }]);
    else found.sealed.set(day, part);
  }
  const loaded = new Map<string, StoredParts>();
  for (const source of sources) {
    const { open, sealed } = bySource.get(source.name)!;
    const stored = { ...inOrder(open), sealed };
    ensureOwnColumns(source, stored);
    loaded.set(source.name, await withNewest(connection, stored));
  }
  return loaded;
}

/** An open part with its number among those of its day. */
interface Numbered {
  readonly number: number;
  readonly part: Part;
}

function inOrder(open: ReadonlyMap<number, readonly Numbered[]>): Pick<StoredParts, 'parts' | 'former'> {
  const [parts, former] = [new Map<number, Part>(), new Map<number, readonly Part[]>()];
  for (const [day, numbered] of open) {
    const ordered = [...numbered].sort((a, b) => a.number - b.number).map(({ part }) => part);
    parts.set(day, ordered.at(-1)!);
    if (ordered.length > 1) former.set(day, ordered.slice(0, -1));
  }
  return { parts, former };
}

/** Reads when the newest events of a source were: queries for the newest rows begin there. */
async function withNewest(connection: DuckDBConnection, stored: StoredParts): Promise<StoredParts> {
  const day = storedDays(stored).at(-1);
  if (day === undefined) return stored;
  const read = async (part: Part): Promise<Part> => {
    const reader = await connection.runAndReadAll(`SELECT epoch_us(max("timestamp")) FROM ${quotePart(part)}`);
    const [[micros = null] = []] = reader.getRows();
    return { ...part, newestMicros: micros === null ? Number.NEGATIVE_INFINITY : Number(micros) };
  };
  const [parts, former, sealed] = [new Map(stored.parts), new Map(stored.former), new Map(stored.sealed)];
  for (const byDay of [parts, sealed]) {
    const part = byDay.get(day);
    if (part !== undefined) byDay.set(day, await read(part));
  }
  const before = former.get(day);
  if (before !== undefined) {
    const known: Part[] = [];
    for (const part of before) known.push(await read(part));
    former.set(day, known);
  }
  return { parts, former, sealed };
}

async function columnsByTable(connection: DuckDBConnection): Promise<Map<string, Map<string, PhysicalType>>> {
  const reader = await connection.runAndReadAll(
    `SELECT table_name, column_name, data_type FROM duckdb_columns()
     WHERE schema_name = 'main' AND NOT internal ORDER BY table_name, column_index`
  );
  const found = new Map<string, Map<string, PhysicalType>>();
  for (const [table, column, duckDbName] of reader.getRows()) {
    const type = physicalType(String(duckDbName));
    if (type === undefined || String(column).startsWith(HIDDEN_PREFIX)) continue;
    const columns = found.get(String(table)) ?? new Map<string, PhysicalType>();
    found.set(String(table), columns.set(String(column), type));
  }
  return found;
}

async function sealedComments(connection: DuckDBConnection): Promise<ReadonlyMap<string, string>> {
  const reader = await connection.runAndReadAll(
    'SELECT table_name, comment FROM duckdb_tables() WHERE database_name = $1 AND comment IS NOT NULL',
    [SEALED_DATABASE]
  );
  return new Map(reader.getRows().map(([table, comment]) => [String(table), String(comment)]));
}

function ensureOwnColumns(source: Source, stored: StoredParts): void {
  for (const [name, type] of Object.entries(source.columns)) {
    for (const part of allParts(stored)) {
      const stored = part.columns.get(name);
      if (stored === undefined || stored === type) continue;
      throw new ServiceError(
        'definition_invalid',
        `column "${name}" of source "${source.name}" is declared as ${type}, but events are stored with it as ${stored}`,
        { hint: STORED_TYPES_HINT }
      );
    }
  }
}

function sealedMissing(table: string): ServiceError {
  return new ServiceError(
    'backend_unavailable',
    `sealed.duckdb lacks the events of ${table.split('.')[0]}: put the file back that belongs to logs.duckdb`,
    { reason: 'sealed_missing' }
  );
}
