/** Saved field trees: one row per field, written in the same transaction as the columns of the fields. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { readFieldFact } from '../../ingest/fields/field-fact';
import type { FieldNode, FieldTree } from '../../ingest/fields/field-tree';
import { fieldsWithColumns } from './fields-with-columns';

const CREATE = `CREATE TABLE IF NOT EXISTS lqe_fields (
  source VARCHAR NOT NULL, path VARCHAR NOT NULL, kind VARCHAR NOT NULL, type VARCHAR, physical VARCHAR, misfits BIGINT NOT NULL)`;

/**
 * Fields in the order in which they were saved first: a row of the registry is written again when its field changes.
 */
const CREATE_ORDER = 'CREATE TABLE IF NOT EXISTS lqe_field_order (source VARCHAR NOT NULL, path VARCHAR NOT NULL)';

/** Tenants that added fields; a table of its own, which programs of earlier versions ignore. */
const CREATE_TENANTS = `CREATE TABLE IF NOT EXISTS lqe_field_tenants (
  source VARCHAR NOT NULL, path VARCHAR NOT NULL, tenant VARCHAR NOT NULL)`;

/** Columns that fields of a tenant have lost, and that open parts may still have. */
const CREATE_LOST = `CREATE TABLE IF NOT EXISTS lqe_lost_columns (
  source VARCHAR NOT NULL, physical VARCHAR NOT NULL, tenant VARCHAR NOT NULL)`;

/** Adds the fields of the registry that are in no order yet, such as those of an earlier version. */
const ORDER_REST = `INSERT INTO lqe_field_order SELECT source, path FROM lqe_fields
  ANTI JOIN lqe_field_order USING (source, path) ORDER BY lqe_fields.rowid`;

/** Maximum rows of one statement; a batch with more new fields takes several. */
const ROWS_PER_STATEMENT = 200;

export async function createFieldRegistry(connection: DuckDBConnection): Promise<void> {
  await connection.run(CREATE);
  await connection.run(CREATE_ORDER);
  await connection.run(CREATE_TENANTS);
  await connection.run(CREATE_LOST);
  await connection.run(ORDER_REST);
}

/** Restores the saved fields of a source in its tree, in the order in which they were saved first. */
export async function loadFields(connection: DuckDBConnection, source: string, tree: FieldTree): Promise<void> {
  const result = await connection.runAndReadAll(
    `SELECT path, kind, type, physical, misfits, tenant FROM lqe_fields
     LEFT JOIN lqe_field_order USING (source, path) LEFT JOIN lqe_field_tenants USING (source, path)
     WHERE source = $1 ORDER BY lqe_field_order.rowid NULLS LAST`,
    [source]
  );
  for (const [path, kind, type, column, misfits, tenant] of result.getRows()) {
    const { path: keys, ...saved } = readFieldFact({ path, kind, type, column, tenant });
    tree.restore(keys, { ...saved, misfits: Number(misfits) });
  }
}

/** Counts the columns of open parts that no field of the tree has. @param stored names of columns of fields */
export async function countLostColumns(
  connection: DuckDBConnection,
  source: string,
  tree: FieldTree,
  stored: Iterable<string>
): Promise<void> {
  const lost = new Set(stored);
  for (const { column } of fieldsWithColumns(tree.root)) lost.delete(column);
  if (lost.size === 0) return;
  const result = await connection.runAndReadAll('SELECT physical, tenant FROM lqe_lost_columns WHERE source = $1', [
    source,
  ]);
  const tenants = new Map(result.getRows().map(([column, tenant]) => [String(column), String(tenant)]));
  for (const column of lost) tree.countLostColumn(tenants.get(column) ?? null);
}

/** Saves fields and replaces their former rows. */
export async function saveFields(
  connection: DuckDBConnection,
  source: string,
  fields: readonly FieldNode[]
): Promise<void> {
  for (let start = 0; start < fields.length; start += ROWS_PER_STATEMENT) {
    const rows = fields.slice(start, start + ROWS_PER_STATEMENT);
    const paths = rows.map((node) => JSON.stringify(node.path()));
    const ofRows = `source = $1 AND path IN (${rows.map((_, i) => `$${i + 2}`).join(', ')})`;
    await connection.run(`DELETE FROM lqe_fields WHERE ${ofRows}`, [source, ...paths]);
    const values = rows.flatMap((node, i) => [paths[i]!, node.kind, node.type, node.column, BigInt(node.misfits)]);
    const tuples = rows.map((_, i) => `($1, ${[2, 3, 4, 5, 6].map((n) => `$${i * 5 + n}`).join(', ')})`);
    await connection.run(`INSERT INTO lqe_fields VALUES ${tuples.join(', ')}`, [source, ...values]);
    await saveTenants(connection, source, rows);
    await saveLostColumns(connection, source, rows);
  }
  await connection.run(ORDER_REST);
}

const TABLES = ['lqe_fields', 'lqe_field_order', 'lqe_field_tenants', 'lqe_lost_columns'];

/** Removes the fields of a source without events: further events may have other types. */
export async function removeFields(connection: DuckDBConnection, source: string): Promise<void> {
  for (const table of TABLES) await connection.run(`DELETE FROM ${table} WHERE source = $1`, [source]);
}

/** A field keeps the tenant that it was saved with first. */
async function saveTenants(connection: DuckDBConnection, source: string, fields: readonly FieldNode[]): Promise<void> {
  const values = fields.flatMap((node) => (node.tenant === null ? [] : [JSON.stringify(node.path()), node.tenant]));
  if (values.length === 0) return;
  const tuples = values.flatMap((_, i) => (i % 2 === 0 ? [`($${i + 2}, $${i + 3})`] : []));
  await connection.run(
    `INSERT INTO lqe_field_tenants SELECT $1, path, tenant FROM (VALUES ${tuples.join(', ')}) AS added (path, tenant)
     WHERE path NOT IN (SELECT path FROM lqe_field_tenants WHERE source = $1)`,
    [source, ...values]
  );
}

async function saveLostColumns(
  connection: DuckDBConnection,
  source: string,
  fields: readonly FieldNode[]
): Promise<void> {
  const lost = fields.flatMap(({ lostColumn, tenant }) => (lostColumn === null ? [] : [{ lostColumn, tenant }]));
  if (lost.length === 0) return;
  const columns = lost.map(({ lostColumn }) => lostColumn);
  // The name may be that of a column of an earlier day.
  await connection.run(
    `DELETE FROM lqe_lost_columns WHERE source = $1 AND physical IN (${columns.map((_, i) => `$${i + 2}`).join(', ')})`,
    [source, ...columns]
  );
  const values = lost.flatMap(({ lostColumn, tenant }) => (tenant === null ? [] : [lostColumn, tenant]));
  if (values.length === 0) return;
  const tuples = values.flatMap((_, i) => (i % 2 === 0 ? [`($1, $${i + 2}, $${i + 3})`] : []));
  await connection.run(`INSERT INTO lqe_lost_columns VALUES ${tuples.join(', ')}`, [source, ...values]);
}

/**
 * Saves the counts of misfits. They change with any batch, so they are saved at checkpoints, in their own transaction.
 */
export async function saveMisfits(connection: DuckDBConnection, source: string, tree: FieldTree): Promise<void> {
  const fields = [...tree.takeMiscounted()];
  if (fields.length === 0) return;
  await connection.run('BEGIN TRANSACTION');
  try {
    await saveFields(connection, source, fields);
    await connection.run('COMMIT');
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
