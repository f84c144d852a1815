/** Compares the existing tables with the required ones, and lists the steps between them. Changes nothing. */
import { ServiceError } from '#contract/errors';
import type { Source } from '#contract/events/source';
import type { Connection } from '../connection/connection';
import type { FieldFact } from '../../ingest/fields/field-fact';
import { conflictingColumns } from './conflicting-columns';
import { countDeadLetters } from './dead-letters';
import { type FieldFacts, loadFacts } from './field-registry';
import { translateError } from '../connection/errors';
import { columnsOf, sortKey, withoutBlanks } from './layout';
import type { ClickHouseOptions } from '../connection/options';
import { daysKept } from './retention';
import {
  addColumn,
  addSearchIndex,
  addSettings,
  changeColumn,
  createDatabase,
  createDeadLettersTable,
  createFieldsTable,
  createSourceTables,
  DEAD_LETTERS_TABLE,
  FIELDS_TABLE,
  modifyTtl,
  type Place,
  SEARCH_INDEX,
  storageTable,
} from './statements';
import { versionProblem } from '../connection/version';

export interface SchemaStep {
  /** `create`: a table or database is missing; `change`: one exists and differs. */
  readonly kind: 'create' | 'change';
  readonly why: string;
  readonly statements: readonly string[];
  /** ClickHouse deletes events after it, and soon. */
  readonly deletesEvents?: boolean;
}

export interface SchemaReport {
  readonly version: string;
  /** Missing tables. */
  readonly missing: readonly string[];
  /** Column types by table and column name. */
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Sources whose table has the index on messages. */
  readonly searched: ReadonlySet<string>;
  /** Days after which ClickHouse deletes the events of a source; Infinity: never. */
  readonly daysKept: ReadonlyMap<string, number>;
  /** Steps in order; empty when nothing differs. */
  readonly steps: readonly SchemaStep[];
  /** Differences that no step can fix. */
  readonly problems: readonly string[];
  /** Events that ClickHouse refused, by source. */
  readonly deadLetters: ReadonlyMap<string, number>;
  /** Warnings; the store works. */
  readonly warnings: readonly string[];
}

interface TableFacts {
  readonly engine: string;
  readonly sortingKey: string;
  readonly createQuery: string;
  /** Rows of this node; null: not known. */
  readonly rows: number | null;
  /** Type by name. */
  readonly columns: Map<string, string>;
}

/**
 * @param connection of the writer, to a database that may not exist yet
 * @throws ServiceError `backend_unavailable` when ClickHouse cannot be reached or refuses
 */
export async function inspectSchema(
  connection: Connection,
  { database, cluster }: Pick<ClickHouseOptions, 'database' | 'cluster'>,
  sources: readonly Source[]
): Promise<SchemaReport> {
  try {
    const place = { database, cluster };
    const version = await readVersion(connection);
    if (cluster !== null) await ensureCluster(connection, cluster);
    const hasDatabase = (await connection.rows({ sql: NAMED_DATABASE, parameters: { database } })).length > 0;
    const tables = hasDatabase ? await readTables(connection, database) : new Map<string, TableFacts>();
    const steps: SchemaStep[] = hasDatabase
      ? []
      : [{ kind: 'create', why: `database ${database} is missing`, statements: [createDatabase(place)] }];
    const problems: string[] = [];
    const facts = await factsForColumns(connection, tables, place, sources);
    for (const source of sources)
      inspectSource(source, { tables, place, facts: facts.get(source.name) }, steps, problems);
    for (const [table, statements] of ownTables(place)) {
      if (!isComplete(table, tables, place))
        steps.push({ kind: 'create', why: `table ${table} is missing`, statements });
    }
    const warning = versionProblem(version);
    const wanted = [...sources.map(({ name }) => name), DEAD_LETTERS_TABLE, FIELDS_TABLE];
    return {
      version,
      missing: wanted.filter((name) => !isComplete(name, tables, place)),
      columns: new Map([...tables].map(([name, { columns }]) => [name, columns])),
      searched: new Set(
        sources.map(({ name }) => name).filter((name) => hasSearchIndex(tables.get(storageTable(name, place))))
      ),
      daysKept: new Map(sources.map(({ name }) => [name, daysKeptOf(tables.get(storageTable(name, place)))])),
      steps,
      problems,
      deadLetters: tables.has(DEAD_LETTERS_TABLE) ? await countDeadLetters(connection, database) : new Map(),
      warnings: warning === null ? [] : [warning.message],
    };
  } catch (error) {
    throw translateError(error);
  }
}

const NAMED_DATABASE = 'SELECT 1 FROM system.databases WHERE name = {database:String}';

/** @throws ServiceError when the release is not supported */
async function readVersion(connection: Connection): Promise<string> {
  const [[version] = ['']] = await connection.rows({ sql: 'SELECT version()' });
  const problem = versionProblem(String(version));
  if (problem?.isFatal) {
    throw new ServiceError('backend_unavailable', problem.message, { reason: 'version' });
  }
  return String(version);
}

async function ensureCluster(connection: Connection, cluster: string): Promise<void> {
  const found = await connection.rows({
    sql: 'SELECT 1 FROM system.clusters WHERE cluster = {cluster:String} LIMIT 1',
    parameters: { cluster },
  });
  if (found.length > 0) return;
  throw new ServiceError('backend_unavailable', `ClickHouse knows no cluster "${cluster}"`, {
    reason: 'cluster',
    hint: 'check LQE_CLICKHOUSE_CLUSTER and remote_servers of ClickHouse',
  });
}

async function readTables(connection: Connection, database: string): Promise<Map<string, TableFacts>> {
  const tables = new Map<string, TableFacts>();
  const found = await connection.rows({
    sql: 'SELECT name, total_rows, engine, sorting_key, create_table_query FROM system.tables WHERE database = {database:String}',
    parameters: { database },
  });
  for (const [name, rows, ...facts] of found) {
    const [engine = '', sortingKey = '', createQuery = ''] = facts.map(String);
    const known = rows === null ? null : Number(rows);
    tables.set(String(name), { engine, sortingKey, createQuery, rows: known, columns: new Map() });
  }
  const columns = await connection.rows({
    sql: 'SELECT table, name, type FROM system.columns WHERE database = {database:String}',
    parameters: { database },
  });
  for (const [table, name, type] of columns) tables.get(String(table))?.columns.set(String(name), String(type));
  return tables;
}

function hasSearchIndex(table: TableFacts | undefined): boolean {
  return table?.createQuery.includes(`INDEX ${SEARCH_INDEX} `) === true;
}

function daysKeptOf(table: TableFacts | undefined): number {
  return daysKept(table?.createQuery ?? '') ?? Infinity;
}

function* ownTables(place: Place): Generator<readonly [string, readonly string[]]> {
  yield [FIELDS_TABLE, [createFieldsTable(place)]];
  yield [DEAD_LETTERS_TABLE, createDeadLettersTable(place)];
}

function isComplete(table: string, tables: ReadonlyMap<string, TableFacts>, place: Place): boolean {
  return tables.has(table) && (table === FIELDS_TABLE || tables.has(storageTable(table, place)));
}

/** Fields that events have had, where a table lacks a column. */
async function factsForColumns(
  connection: Connection,
  tables: ReadonlyMap<string, TableFacts>,
  place: Place,
  sources: readonly Source[]
): Promise<FieldFacts> {
  const lacksColumns = (source: Source): boolean => {
    const columns = tables.get(storageTable(source.name, place))?.columns;
    return columns !== undefined && columnsOf(source).some(({ name }) => !columns.has(name));
  };
  if (!tables.has(FIELDS_TABLE) || !sources.some(lacksColumns)) return new Map();
  return loadFacts(connection, null, place.database);
}

interface Existing {
  readonly tables: ReadonlyMap<string, TableFacts>;
  readonly place: Place;
  /** Fields of the source that events have had. */
  readonly facts: readonly FieldFact[] | undefined;
}

function inspectSource(
  source: Source,
  { tables, place, facts = [] }: Existing,
  steps: SchemaStep[],
  problems: string[]
): void {
  const { name } = source;
  const rows = tables.get(storageTable(name, place));
  const whole = tables.get(name);
  if (rows === undefined || whole === undefined) {
    steps.push({ kind: 'create', why: `table ${name} is missing`, statements: createSourceTables(source, place) });
    return;
  }
  const isReplicated = rows.engine.startsWith('Replicated');
  if (!rows.engine.endsWith('MergeTree') || isReplicated !== (place.cluster !== null)) {
    problems.push(`table ${name} is a ${rows.engine}: it was made ${isReplicated ? 'with' : 'without'} a cluster`);
    return;
  }
  const wantedKey = sortKey(source).join(', ');
  // Releases print a key of one column with or without parentheses.
  if (rows.sortingKey.replaceAll(/[`()]/g, '') !== wantedKey) {
    problems.push(`table ${name} is sorted by ${rows.sortingKey}, not by ${wantedKey}: queries work, slower`);
  }
  const conflicts = conflictingColumns(source, facts);
  for (const column of columnsOf(source)) {
    const type = rows.columns.get(column.name);
    const conflict = conflicts.get(column.name);
    if (conflict !== undefined) {
      const { path, declared, stored } = conflict;
      problems.push(`field ${path} of ${name} is declared as ${declared}, and stored as ${stored}: declare that type`);
    } else if (type === undefined || !whole.columns.has(column.name)) {
      steps.push({
        kind: 'change',
        why: `table ${name} has no column ${column.name}`,
        statements: addColumn(name, column, place),
      });
    } else if (withoutBlanks(type) !== withoutBlanks(column.type)) {
      // That of a source which was deleted with its events. Other nodes of a cluster may have rows.
      if (rows.rows === 0 && place.cluster === null)
        steps.push({
          kind: 'change',
          why: `table ${name}, which has no rows, has ${column.name} as ${type}, not as ${column.type}`,
          statements: [changeColumn(name, column, place)],
        });
      else problems.push(`table ${name} has ${column.name} as ${type}, not as ${column.type}`);
    }
  }
  const days = daysKept(rows.createQuery);
  if (days !== source.retention_days) {
    const why = `table ${name} keeps events for ${days ?? 'any number of'} days, not for ${source.retention_days}`;
    const deletesEvents = source.retention_days < (days ?? Infinity);
    steps.push({ kind: 'change', why, statements: [modifyTtl(source, place)], deletesEvents });
  }
  if (!hasSearchIndex(rows)) {
    const why = `table ${name} has no index on messages`;
    steps.push({ kind: 'change', why, statements: [addSearchIndex(name, place)] });
  }
  // A value of the operator stays.
  const settings = addSettings(name, rows.createQuery, place);
  if (settings !== null) {
    steps.push({ kind: 'change', why: `table ${name} lacks settings for cheaper inserts`, statements: [settings] });
  }
}
