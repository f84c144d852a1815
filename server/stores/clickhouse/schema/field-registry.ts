/**
 * Fields known to all servers: facts in a table ("this path is a leaf of INT64 with this column"), written before the
 * rows that need them and never changed. Every server builds the same tree from the same facts, in any order.
 *
 * That a tenant added a field is a fact, too. Its row has a name of its own in place of the source, which servers of
 * earlier versions ignore, the kind `empty`, and the tenant in place of a column: so the table needs no migration.
 */
import type { ScalarType } from '#contract/events/source';
import { type FieldFact, readFieldFact } from '../../ingest/fields/field-fact';
import type { FieldNode, FieldTree } from '../../ingest/fields/field-tree';
import { widerType } from '../../ingest/fields/field-types';
import type { Connection } from '../connection/connection';
import { quoteName } from '../connection/quoting';
import { FIELDS_TABLE } from './statements';
import { timeText } from '../connection/time-text';

/** Facts by source. */
export type FieldFacts = ReadonlyMap<string, readonly FieldFact[]>;

/** In place of the source, for tenants of its fields. No source has a blank in its name. */
export function tenantsOf(source: string): string {
  return `${source}${TENANTS}`;
}

const TENANTS = ' tenants';

/**
 * Facts, oldest first. A path comes before the paths below it.
 * @param source null: all sources
 * @param database @default that of the connection
 */
export async function loadFacts(
  connection: Connection,
  source: string | null,
  database: string | null = null
): Promise<FieldFacts> {
  const table = database === null ? quoteName(FIELDS_TABLE) : `${quoteName(database)}.${quoteName(FIELDS_TABLE)}`;
  const rows = await connection.rows({
    sql:
      `SELECT source, path, kind, type, physical FROM ${table} ` +
      'WHERE {source:Nullable(String)} IS NULL OR source = {source:Nullable(String)} OR source = {tenants:String} ' +
      'GROUP BY source, path, kind, type, physical ' +
      'ORDER BY length(JSONExtractArrayRaw(path)), min(at), path, kind, type, physical',
    parameters: { source, tenants: tenantsOf(source ?? '') },
  });
  const tenants = readTenants(rows);
  const facts = new Map<string, FieldFact[]>();
  for (const [of, path, kind, type, physical] of rows) {
    const name = String(of);
    if (name.endsWith(TENANTS)) continue;
    const list = facts.get(name) ?? [];
    facts.set(name, list);
    const tenant = tenants.get(tenantsOf(name))?.get(String(path)) ?? null;
    list.push(readFieldFact({ path, kind, type: orNull(type), column: orNull(physical), tenant }));
  }
  return facts;
}

/** @returns the tenant that added a field first, by `tenantsOf` its source and by path */
function readTenants(rows: readonly (readonly unknown[])[]): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const tenants = new Map<string, Map<string, string>>();
  for (const [of, path, , , tenant] of rows) {
    const name = String(of);
    if (!name.endsWith(TENANTS)) continue;
    const known = tenants.get(name) ?? new Map<string, string>();
    tenants.set(name, known);
    if (!known.has(String(path))) known.set(String(path), String(tenant));
  }
  return tenants;
}

/** An empty text is NULL in the columns of the registry. */
function orNull(stored: unknown): unknown {
  return stored === '' ? null : stored;
}

/** Number of facts by source. While a source has events, facts are only added: another number means new ones. */
export async function countFacts(connection: Connection): Promise<ReadonlyMap<string, number>> {
  const rows = await connection.rows({
    sql: `SELECT source, uniqExact(path, kind, type, physical) FROM ${quoteName(FIELDS_TABLE)} GROUP BY source`,
  });
  return new Map(rows.map(([source, count]) => [String(source), Number(count)]));
}

export function factOf(node: FieldNode): FieldFact {
  return { path: node.path(), kind: node.kind, type: node.type, column: node.column, tenant: node.tenant };
}

export async function saveFacts(
  connection: Connection,
  source: string,
  facts: readonly FieldFact[],
  nowMicros: number,
  token: string
): Promise<void> {
  const at = timeText(nowMicros);
  const lines = facts.flatMap(({ path: keys, kind, type, column, tenant }) => {
    const path = JSON.stringify(keys);
    const fact = { source, path, kind, type: type ?? '', physical: column ?? '', at };
    if (tenant === null) return [JSON.stringify(fact)];
    const owner = { source: tenantsOf(source), path, kind: 'empty', type: '', physical: tenant, at };
    return [JSON.stringify(fact), JSON.stringify(owner)];
  });
  const rows = [Buffer.from(`${lines.join('\n')}\n`)];
  await connection.insert({ table: FIELDS_TABLE, columns: null, rows, token });
}

/** Types of stored values, by column. */
export type StoredTypes = Map<string, Set<ScalarType>>;

/** Restores an empty tree from facts. The first fact of a path sets its kind; later ones can only widen it. */
export function restoreFields(tree: FieldTree, facts: readonly FieldFact[]): StoredTypes {
  const nodes = new Map<string, FieldNode>();
  const stored: StoredTypes = new Map();
  const mixed = mixedColumns(facts);
  for (const { path, kind, type, column, tenant } of facts) {
    const key = JSON.stringify(path);
    let node = nodes.get(key);
    if (node === undefined) {
      const own = column !== null && mixed.has(column) ? null : column;
      node = tree.restore(path, { kind, type, column: own, misfits: 0, tenant });
      nodes.set(key, node);
      // Without a column, the presence of the record is read from the JSON text.
      if (kind === 'record' && own !== column) tree.becomeRecords(node);
    } else if (node.kind === 'record' && kind === 'records') {
      tree.becomeRecords(node);
    } else if (node.kind === kind && node.type !== null && type !== null) {
      node.type = widerType(node.type, type);
    }
    if (node.column !== null && node.kind === kind && type !== null) noteType(stored, node.column, type);
  }
  return stored;
}

/**
 * Column names that two paths share, because servers of an earlier version numbered them in order of arrival. Their
 * values are read from the JSON text.
 */
function mixedColumns(facts: readonly FieldFact[]): ReadonlySet<string> {
  const owners = new Map<string, string>();
  const mixed = new Set<string>();
  for (const { path, column } of facts) {
    if (column === null) continue;
    const owner = JSON.stringify(path);
    if ((owners.get(column) ?? owner) !== owner) mixed.add(column);
    owners.set(column, owner);
  }
  return mixed;
}

export function noteType(stored: StoredTypes, column: string, type: ScalarType): void {
  const types = stored.get(column) ?? new Set();
  stored.set(column, types.add(type));
}
