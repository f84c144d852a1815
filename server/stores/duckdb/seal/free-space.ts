/**
 * Returns the space of sealed days to the file system. A checkpoint shortens the file as far as its end is free, so a
 * single block at the end, such as one of today's events or of a small day, keeps the space of all days before it.
 */
import { stat } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteName } from '../tables/quoting';
import type { SourceState } from '../sources/source-state';

/** Less space is soon used again. */
export const LEAST_FREE_BYTES = 64 * 1024 * 1024;
/** Free share of the file from which it is worth moving what is left. */
const LEAST_FREE_SHARE = 2 / 3;
/** Days of a source: more than end in a night. */
const MANY_DAYS = 3;
const LATELY_MS = 12 * 3_600_000;

/**
 * Whether many days of a source were sealed lately: events of many days at once are an import, whose space is not used
 * again for days. Versions of sealed parts are times, so this holds after a start, too.
 */
export function areManyLatelySealed(states: Iterable<SourceState>, sinceMs: number, nowMs: number): boolean {
  const since = Math.floor(Math.max(sinceMs, nowMs - LATELY_MS) / 1000);
  for (const { sealed } of states) {
    let days = 0;
    for (const { version } of sealed.values()) if (version > since) days++;
    if (days >= MANY_DAYS) return true;
  }
  return false;
}

/**
 * Whether most of the file of the open parts is free. To be asked after a checkpoint. The size is that of the file:
 * DuckDB (1.5.6) shortens it after it has stored the number of blocks, and after a start counts more than the file has.
 */
export async function isMostlyFree(connection: DuckDBConnection, leastBytes: number): Promise<boolean> {
  const reader = await connection.runAndReadAll(
    `SELECT path, (total_blocks - free_blocks) * block_size FROM pragma_database_size() AS size
     JOIN duckdb_databases() AS file USING (database_name) WHERE database_name = current_database()`
  );
  const [path, used] = reader.getRows()[0] ?? [];
  const { size } = await stat(String(path));
  const free = size - Number(used);
  return free >= leastBytes && free >= size * LEAST_FREE_SHARE;
}

/**
 * Writes the rows of the tables that are no parts again: the next checkpoint puts them at the beginning of the file.
 */
export async function moveOtherTables(writer: DuckDBConnection): Promise<void> {
  const reader = await writer.runAndReadAll(
    "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database() AND table_name LIKE 'lqe\\_%' ESCAPE '\\'"
  );
  await writer.run('BEGIN TRANSACTION');
  try {
    for (const [name] of reader.getRows()) await moveRows(writer, quoteName(String(name)));
    await writer.run('COMMIT');
  } catch (error) {
    await writer.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function moveRows(writer: DuckDBConnection, table: string): Promise<void> {
  const last = (await writer.runAndReadAll(`SELECT max(rowid) FROM ${table}`)).getRows()[0]?.[0] ?? null;
  if (last === null) return;
  // New rows of a transaction have higher numbers until its commit.
  await writer.run(`INSERT INTO ${table} SELECT * FROM ${table}`);
  await writer.run(`DELETE FROM ${table} WHERE rowid <= ${String(last)}`);
}
