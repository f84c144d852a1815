/** All rows of the store files in a data folder, for comparisons. No process may have the file open. */
import { openDatabase } from '#server/stores/duckdb/file/database';
import { openDuckDbStore } from '#server/stores/duckdb/duckdb-store';
import type { Source } from '#contract/events/source';

/** Rows as JSON text by table and id, with every typed column. Acknowledged events are moved from the journal first. */
export async function storedRows(dataDir: string, sources: readonly Source[]): Promise<ReadonlyMap<string, string>> {
  const options = { dataDir, memoryLimitMb: 256, threads: 1 };
  await (await openDuckDbStore({ ...options, sources })).close();
  const database = await openDatabase(options);
  const connection = await database.connect();
  try {
    const tables = await connection.runAndReadAll(
      `SELECT table_name, database_name FROM duckdb_tables() WHERE table_name LIKE '%/%' ORDER BY 1`
    );
    const rows = new Map<string, string>();
    for (const [table, file] of tables.getRows()) {
      const name = String(table);
      const reader = await connection.runAndReadAll(
        `SELECT COLUMNS(c -> c NOT LIKE 'lqe:%') FROM (SELECT * REPLACE (epoch_us("timestamp") AS "timestamp") FROM "${String(file)}".main."${name}")`
      );
      for (const row of reader.getRowObjectsJson()) {
        // A whole number is the same in a column of integers and in one of fractions.
        const known = Object.entries(row).flatMap(([name, value]) =>
          value === null ? [] : [[name, typeof value === 'number' ? String(value) : value]]
        );
        rows.set(`${name} ${String(row.id)}`, JSON.stringify(Object.fromEntries(known.sort())));
      }
    }
    return rows;
  } finally {
    // The file stays locked while a connection is open.
    connection.closeSync();
    database.close();
  }
}
