/**
 * Reads the existing parts and their columns from the database itself, so that there is no second registry to keep
 * consistent.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { ServiceError } from '#contract/errors';
import type { Source } from '#contract/source';
import type { PhysicalType } from '#compiler/store';
import { physicalType } from './column-types';
import { type Part, parsePartTable } from './part';

/** @returns parts by source and day. Parts of sources that are no longer declared are ignored. */
export async function loadParts(
  connection: DuckDBConnection,
  sources: readonly Source[]
): Promise<Map<string, Map<number, Part>>> {
  const reader = await connection.runAndReadAll(
    `SELECT table_name, column_name, data_type FROM duckdb_columns()
     WHERE schema_name = 'main' AND NOT internal ORDER BY table_name, column_index`
  );
  const columnsByTable = new Map<string, Map<string, PhysicalType>>();
  for (const [table, column, duckDbName] of reader.getRows()) {
    const type = physicalType(String(duckDbName));
    if (type === undefined) continue;
    const columns = columnsByTable.get(String(table)) ?? new Map<string, PhysicalType>();
    columnsByTable.set(String(table), columns.set(String(column), type));
  }
  const bySource = new Map(sources.map((source) => [source.name, new Map<number, Part>()]));
  for (const [table, columns] of columnsByTable) {
    const name = parsePartTable(table);
    const parts = name === null ? undefined : bySource.get(name.source);
    parts?.set(name!.day, { table, day: name!.day, columns, newestMicros: null });
  }
  for (const source of sources) ensureOwnColumns(source, bySource.get(source.name)!);
  return bySource;
}

/** @throws ServiceError `definition_invalid` when a declared column is stored with another type. */
function ensureOwnColumns(source: Source, parts: ReadonlyMap<number, Part>): void {
  for (const [name, type] of Object.entries(source.columns)) {
    for (const part of parts.values()) {
      const stored = part.columns.get(name);
      if (stored === undefined || stored === type) continue;
      throw new ServiceError(
        'definition_invalid',
        `column "${name}" of source "${source.name}" is declared as ${type}, but events are stored with it as ${stored}`
      );
    }
  }
}
