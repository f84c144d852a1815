/**
 * List of the sealed parts that are in force, in the file of the open parts: the transaction that drops an open part
 * adds the sealed one that has its events, though a transaction of DuckDB writes to one file only.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { type Part, parsePartTable, SEALED_DATABASE } from '../tables/part';
import { quotePart } from '../tables/quoting';
import { FORMAT_WITH_SEALED, raiseFormat } from './format-version';

export async function createSealedTables(connection: DuckDBConnection): Promise<void> {
  await connection.run('CREATE TABLE IF NOT EXISTS lqe_sealed (table_name VARCHAR NOT NULL)');
}

export async function loadSealedTables(connection: DuckDBConnection): Promise<ReadonlySet<string>> {
  const reader = await connection.runAndReadAll('SELECT table_name FROM lqe_sealed');
  return new Set(reader.getRows().map(([table]) => String(table)));
}

/**
 * Replaces the parts of a day in one transaction. Tables of sealed parts stay until `dropSealed`.
 * @param replacement a sealed part with all of their events; null: the events are dropped
 */
export async function replaceParts(
  connection: DuckDBConnection,
  parts: readonly Part[],
  replacement: Part | null
): Promise<void> {
  await connection.run('BEGIN TRANSACTION');
  try {
    for (const part of parts) {
      if (part.database === null) await connection.run(`DROP TABLE ${quotePart(part)}`);
      else await connection.run('DELETE FROM lqe_sealed WHERE table_name = $1', [part.table]);
    }
    if (replacement !== null) await putInForce(connection, replacement);
    await connection.run('COMMIT');
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function putInForce(connection: DuckDBConnection, { table }: Part): Promise<void> {
  await connection.run('INSERT INTO lqe_sealed VALUES ($1)', [table]);
  await raiseFormat(connection, FORMAT_WITH_SEALED);
}

/** @returns sealed tables that are in force, and not in the file of sealed parts */
export async function missingSealedTables(connection: DuckDBConnection): Promise<ReadonlySet<string>> {
  const reader = await connection.runAndReadAll(
    `SELECT table_name FROM lqe_sealed ANTI JOIN
     (SELECT table_name FROM duckdb_tables() WHERE database_name = $1) AS present USING (table_name)`,
    [SEALED_DATABASE]
  );
  return new Set(reader.getRows().map(([table]) => String(table)));
}

/** Takes sealed tables out of force. */
export async function forgetSealed(connection: DuckDBConnection, tables: Iterable<string>): Promise<void> {
  for (const table of tables) await connection.run('DELETE FROM lqe_sealed WHERE table_name = $1', [table]);
}

/** Drops the sealed ones of these parts that are not in force. What fails is dropped at the next start. */
export async function dropSealed(connection: DuckDBConnection, parts: readonly Part[]): Promise<void> {
  try {
    const inForce = await loadSealedTables(connection);
    for (const part of parts) {
      if (part.database === null || inForce.has(part.table)) continue;
      await connection.run(`DROP TABLE IF EXISTS ${quotePart(part)}`);
    }
  } catch {
    // The next start drops it.
  }
}

/** Drops every sealed table that is not in force: an unfinished seal, or one whose events are sealed again. */
export async function dropLeftovers(connection: DuckDBConnection): Promise<void> {
  const inForce = await loadSealedTables(connection);
  const reader = await connection.runAndReadAll('SELECT table_name FROM duckdb_tables() WHERE database_name = $1', [
    SEALED_DATABASE,
  ]);
  for (const [name] of reader.getRows()) {
    const table = String(name);
    if (inForce.has(table) || parsePartTable(table)?.database !== SEALED_DATABASE) continue;
    await connection.run(`DROP TABLE ${quotePart({ table, database: SEALED_DATABASE })}`);
  }
}
