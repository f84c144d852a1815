/** Rows of all tables of the catalog as JSON, for backups. New tables are included without a change here. */
import { CatalogError } from './catalog-error';
import { type Database, LARGE_STATEMENT_MS, type RunStatement } from './database';
import { CATALOG_TABLES, CATALOG_VERSION, SCHEMA_TABLE } from './schema';

/** Rows of one statement: few, because the text of a saved query may have 1 MiB. */
export const ROWS_PER_STATEMENT = 100;

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
        const rows = await run<{ text: string }>(`FETCH ${ROWS_PER_STATEMENT} FROM every_row`);
        if (rows.length === 0) break;
        await take(
          table,
          rows.map(({ text }) => text)
        );
      }
      await run('CLOSE every_row');
    }
  }, LARGE_STATEMENT_MS);
}

/** Rows of one table, each as JSON text. */
export interface TableRows {
  readonly table: string;
  readonly rows: AsyncIterable<readonly string[]>;
}

/**
 * Replaces the rows of an empty catalog, in one transaction.
 * @param isContinued an earlier call may have stored these rows, and was ended before it knew
 * @throws CatalogError `refused` when the catalog has other rows, or the rows are of a newer version
 */
export function replaceTables(database: Database, tables: readonly TableRows[], isContinued: boolean): Promise<void> {
  return database.transact(async (run) => {
    await run(`LOCK TABLE ${CATALOG_TABLES.join(', ')} IN EXCLUSIVE MODE`);
    const filled = await findFilled(run);
    if (filled !== null) {
      if (isContinued && (await hasRowsOf(run, tables))) return;
      throw new CatalogError('refused', `the catalog is not empty (${filled}); restore into an empty database`);
    }
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
  }, LARGE_STATEMENT_MS);
}

/**
 * @returns a table with rows; null for a new catalog, whose only rows are its version and the fingerprint of its key
 */
async function findFilled(run: RunStatement): Promise<string | null> {
  for (const table of CATALOG_TABLES.filter((name) => name !== SCHEMA_TABLE && name !== 'lqe_catalog'))
    if ((await run(`SELECT 1 FROM ${table} LIMIT 1`)).length > 0) return table;
  return null;
}

/** True when the catalog has these rows and no others. */
async function hasRowsOf(run: RunStatement, tables: readonly TableRows[]): Promise<boolean> {
  for (const table of CATALOG_TABLES.filter((name) => name !== SCHEMA_TABLE)) {
    let count = 0;
    for await (const rows of tables.find((entry) => entry.table === table)?.rows ?? []) {
      count += rows.length;
      if (rows.length > 0 && (await hasMissing(run, table, rows))) return false;
    }
    const [stored] = await run<{ count: number }>(`SELECT count(*)::integer AS count FROM ${table}`);
    if (stored!.count !== count) return false;
  }
  return true;
}

async function hasMissing(run: RunStatement, table: string, rows: readonly string[]): Promise<boolean> {
  const names = namesOf(table, rows);
  const missing = await run(
    `SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1::json) EXCEPT SELECT ${names} FROM ${table} LIMIT 1`,
    [`[${rows.join(',')}]`]
  );
  return missing.length > 0;
}

/** Columns that the rows do not have, because they are of an older version, get their defaults. */
async function insertRows(run: RunStatement, table: string, rows: readonly string[]): Promise<void> {
  if (rows.length === 0) return;
  const names = namesOf(table, rows);
  await run(
    `INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE
     SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1::json)`,
    [`[${rows.join(',')}]`]
  );
}

function namesOf(table: string, rows: readonly string[]): string {
  const columns = Object.keys(JSON.parse(rows[0]!) as object);
  if (columns.some((name) => !/^[a-z][a-z0-9_]*$/.test(name))) {
    throw new CatalogError('refused', `the backup has a column of ${table} that is no column of a catalog`);
  }
  return columns.map((name) => `"${name}"`).join(', ');
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
