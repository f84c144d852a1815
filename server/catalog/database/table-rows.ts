/** Rows of all tables of the catalog as JSON, for backups. New tables are included without a change here. */
import { CatalogError } from './catalog-error';
import type { Database, RunStatement } from './database';
import { CATALOG_TABLES, CATALOG_VERSION } from './schema';

/** Rows of one statement. */
const ROWS_PER_FETCH = 1000;

/** Reads all tables in one snapshot. @param take gets the rows of a table in groups, each row as JSON text */
export function readTables(
  database: Database,
  take: (table: string, rows: readonly string[]) => Promise<void>
): Promise<void> {
  return database.transact(async (run) => {
    await run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    for (const table of CATALOG_TABLES) {
      await run(`DECLARE every_row NO SCROLL CURSOR FOR SELECT to_json(t)::text AS text FROM ${table} t`);
      await take(table, []);
      for (;;) {
        const rows = await run<{ text: string }>(`FETCH ${ROWS_PER_FETCH} FROM every_row`);
        if (rows.length === 0) break;
        await take(
          table,
          rows.map(({ text }) => text)
        );
      }
      await run('CLOSE every_row');
    }
  });
}

/** Rows of one table, each as JSON text. */
export interface TableRows {
  readonly table: string;
  readonly rows: AsyncIterable<readonly string[]>;
}

/**
 * Replaces the rows of an empty catalog, in one transaction.
 * @throws CatalogError `refused` when the catalog has rows, or the rows are of a newer version
 */
export function replaceTables(database: Database, tables: readonly TableRows[]): Promise<void> {
  return database.transact(async (run) => {
    await run(`LOCK TABLE ${CATALOG_TABLES.join(', ')} IN EXCLUSIVE MODE`);
    await ensureEmpty(run);
    for (const table of [...CATALOG_TABLES].reverse()) await run(`DELETE FROM ${table}`);
    for (const table of CATALOG_TABLES) {
      const given = tables.find((entry) => entry.table === table);
      if (!given) continue;
      for await (const rows of given.rows) await insertRows(run, table, rows);
      await advanceSequences(run, table);
    }
    const [row] = await run<{ version: number }>('SELECT max(version) AS version FROM lqe_schema');
    if ((row?.version ?? 0) > CATALOG_VERSION) {
      throw new CatalogError(
        'refused',
        `the backup is of catalog version ${row!.version}, and this program knows ${CATALOG_VERSION}`
      );
    }
    await run('DELETE FROM lqe_schema');
    await run('INSERT INTO lqe_schema (version) VALUES ($1)', [CATALOG_VERSION]);
  });
}

async function ensureEmpty(run: RunStatement): Promise<void> {
  // The only rows of a new catalog are its version and the fingerprint of its key.
  for (const table of CATALOG_TABLES.filter((name) => name !== 'lqe_schema' && name !== 'lqe_catalog')) {
    const found = await run(`SELECT 1 FROM ${table} LIMIT 1`);
    if (found.length > 0) {
      throw new CatalogError('refused', `the catalog is not empty (${table}); restore into an empty database`);
    }
  }
}

/** Columns that the rows do not have, because they are of an older version, get their defaults. */
async function insertRows(run: RunStatement, table: string, rows: readonly string[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = Object.keys(JSON.parse(rows[0]!) as object);
  if (columns.some((name) => !/^[a-z][a-z0-9_]*$/.test(name))) {
    throw new CatalogError('refused', `the backup has a column of ${table} that is no column of a catalog`);
  }
  const names = columns.map((name) => `"${name}"`).join(', ');
  await run(
    `INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE
     SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1::json)`,
    [`[${rows.join(',')}]`]
  );
}

async function advanceSequences(run: RunStatement, table: string): Promise<void> {
  const columns = await run<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = $1 AND pg_get_serial_sequence($1, column_name) IS NOT NULL`,
    [table]
  );
  for (const { name } of columns) {
    await run(
      `SELECT setval(pg_get_serial_sequence($1, $2), coalesce(max("${name}"), 1), max("${name}") IS NOT NULL) FROM ${table}`,
      [table, name]
    );
  }
}
