/**
 * Statements that create and change the tables. They are printed for an operator first, so each clause has its own
 * line.
 */
import type { Source } from '#contract/events/source';
import type { StoredCopy } from './insert-mark';
import { columnsOf, type ColumnLayout, FIELDS_COLUMN, INSERT_COLUMN, SEARCHED_COLUMN, sortKey } from './layout';
import { quoteName, quoteText } from '../connection/quoting';

/** Database and cluster of the tables. */
export interface Place {
  readonly database: string;
  readonly cluster: string | null;
}

/** Table of the known fields: facts, which are only added. */
export const FIELDS_TABLE = 'lqe_fields';
/** Table of events that ClickHouse refused. */
export const DEAD_LETTERS_TABLE = 'lqe_dead_letters';

/** Index of a table on pieces of its messages. */
export const SEARCH_INDEX = 'by_message';
/** Settings of the tables with events, by which storing an event costs less (decision 0275). */
const CHEAP_PARTS: readonly (readonly [string, number])[] = [
  // Smaller parts are one file, not one for each column.
  ['min_bytes_for_wide_part', 128 * 1024 * 1024],
];

/** Table with the rows: on a cluster, the local table of a node. */
export function storageTable(table: string, { cluster }: Place): string {
  return cluster === null ? table : `${table}_local`;
}

export function createDatabase(place: Place): string {
  return `CREATE DATABASE IF NOT EXISTS ${quoteName(place.database)}${onCluster(place)}`;
}

/** One statement, or two on a cluster: the local table, then the table over all nodes. */
export function createSourceTables(source: Source, place: Place): readonly string[] {
  const columns = columnsOf(source).map((column) => `  ${columnDefinition(column)}`);
  // Finds the few events of a retry without reading all ids in their time range.
  const index = '  INDEX `by_id` `id` TYPE bloom_filter(0.01) GRANULARITY 1';
  const rows = [
    `CREATE TABLE IF NOT EXISTS ${tableName(storageTable(source.name, place), place)}${onCluster(place)} (`,
    [...columns, index, `  ${searchIndex()}`].join(',\n'),
    `) ENGINE = ${engine('MergeTree', `{shard}/${place.database}/${source.name}`, '{replica}', place)}`,
    'PARTITION BY toDate(`timestamp`)',
    `ORDER BY (${sortKey(source).map(quoteName).join(', ')})`,
    ttlClause(source),
    `SETTINGS allow_nullable_key = 1, ttl_only_drop_parts = 1, ${settingsList(CHEAP_PARTS)}, ${durability(place)}`,
  ].join('\n');
  return [rows, ...distributed(source.name, 'cityHash64(`id`)', place)];
}

function ttlClause({ retention_days }: Pick<Source, 'retention_days'>): string {
  return `TTL toDateTime(\`timestamp\`, 'UTC') + toIntervalDay(${retention_days})`;
}

export function createFieldsTable(place: Place): string {
  return [
    `CREATE TABLE IF NOT EXISTS ${tableName(FIELDS_TABLE, place)}${onCluster(place)} (`,
    '  `source` LowCardinality(String),',
    '  `path` String,',
    '  `kind` LowCardinality(String),',
    '  `type` LowCardinality(String),',
    '  `physical` String,',
    "  `at` DateTime64(6, 'UTC')",
    // Every node has the same rows, so the path contains no shard.
    `) ENGINE = ${engine('ReplacingMergeTree', `all/${place.database}/${FIELDS_TABLE}`, '{shard}-{replica}', place)}`,
    'ORDER BY (`source`, `path`, `kind`, `type`, `physical`)',
    `SETTINGS ${durability(place)}`,
  ].join('\n');
}

export function createDeadLettersTable(place: Place): readonly string[] {
  const rows = [
    `CREATE TABLE IF NOT EXISTS ${tableName(storageTable(DEAD_LETTERS_TABLE, place), place)}${onCluster(place)} (`,
    '  `source` LowCardinality(String),',
    "  `received_at` DateTime64(6, 'UTC'),",
    '  `reason` LowCardinality(String),',
    '  `id` String,',
    '  `row` String CODEC(ZSTD(3))',
    `) ENGINE = ${engine('MergeTree', `{shard}/${place.database}/${DEAD_LETTERS_TABLE}`, '{replica}', place)}`,
    'ORDER BY (`source`, `received_at`)',
    `SETTINGS ${durability(place)}`,
  ].join('\n');
  return [rows, ...distributed(DEAD_LETTERS_TABLE, 'rand()', place)];
}

/** One statement, or two on a cluster: for the local table and for the table over all nodes. */
export function addColumn(table: string, column: ColumnLayout, place: Place): readonly string[] {
  const alter = (name: string): string =>
    `ALTER TABLE ${tableName(name, place)}${onCluster(place)} ADD COLUMN IF NOT EXISTS ${columnDefinition(column, olderRows(column))}`;
  return place.cluster === null ? [alter(table)] : [alter(storageTable(table, place)), alter(table)];
}

/** For a table without rows, of a single server. */
export function changeColumn(table: string, column: ColumnLayout, place: Place): string {
  return `ALTER TABLE ${tableName(table, place)} MODIFY COLUMN IF EXISTS ${columnDefinition(column, olderRows(column))}`;
}

export function modifyTtl(source: Source, place: Place): string {
  const table = tableName(storageTable(source.name, place), place);
  return `ALTER TABLE ${table}${onCluster(place)} MODIFY ${ttlClause(source)}`;
}

/** For rows that are stored or merged from now on. */
export function addSearchIndex(table: string, place: Place): string {
  return `ALTER TABLE ${tableName(storageTable(table, place), place)}${onCluster(place)} ADD ${searchIndex('IF NOT EXISTS ')}`;
}

/**
 * Sets what a table has no value for. @param createQuery the table as ClickHouse describes it @returns null when it has
 * all
 */
export function addSettings(table: string, createQuery: string, place: Place): string | null {
  const missing = CHEAP_PARTS.filter(([name]) => !createQuery.includes(`${name} = `));
  if (missing.length === 0) return null;
  return `ALTER TABLE ${tableName(storageTable(table, place), place)}${onCluster(place)} MODIFY SETTING ${settingsList(missing)}`;
}

/** @param day e.g. `2026-03-01` */
export function dropPartition(table: string, day: string, place: Place): string {
  return `ALTER TABLE ${tableName(storageTable(table, place), place)}${onCluster(place)} DROP PARTITION ${quoteText(day)}`;
}

/** Deletes copies, on a cluster on every node. */
export function deleteCopies(
  { table, tenant }: { readonly table: string; readonly tenant: string },
  copies: readonly StoredCopy[],
  place: Place
): string {
  const times = copies.map(({ micros }) => micros);
  const rows = copies.map(({ hash, tenantHash: name, micros, mark }) => `(${hash}, ${name}, ${micros}, ${mark})`);
  const bound = (micros: number): string => `fromUnixTimestamp64Micro(${micros}, 'UTC')`;
  return (
    `DELETE FROM ${tableName(storageTable(table, place), place)}${onCluster(place)} ` +
    `WHERE timestamp >= ${bound(Math.min(...times))} AND timestamp <= ${bound(Math.max(...times))} ` +
    `AND (cityHash64(id), ${tenantHash(tenant)}, toUnixTimestamp64Micro(timestamp), ${quoteName(INSERT_COLUMN)}) IN (${rows.join(', ')})`
  );
}

/** Deletes what the tables of the service have of a source. @param tenants its name in rows about tenants of fields */
export function deleteFacts(source: string, tenants: string, place: Place): readonly string[] {
  const letters = `${tableName(storageTable(DEAD_LETTERS_TABLE, place), place)}${onCluster(place)}`;
  return [
    // All nodes have the same rows, of which one deletes them.
    `DELETE FROM ${tableName(FIELDS_TABLE, place)} WHERE source IN (${quoteText(source)}, ${quoteText(tenants)})`,
    `DELETE FROM ${letters} WHERE source = ${quoteText(source)}`,
  ];
}

/** No tenant and the tenant with an empty name are two. @param tenant see `storedTenant` */
export function tenantHash(tenant: string): string {
  return `cityHash64(isNull(${tenant}), ifNull(${tenant}, ''))`;
}

function columnDefinition({ name, type, codec }: ColumnLayout, older = ''): string {
  return `${quoteName(name)} ${type}${older} CODEC(${codec})`;
}

/**
 * Default for rows that are older than the column: the value of their path, if any. A whole number is an integer there.
 */
function olderRows({ type, path }: ColumnLayout): string {
  if (path === null) return '';
  const typed = (name: string): string => `${quoteName(FIELDS_COLUMN)}.${quoteName(path)}.:${name}`;
  const plain = /^Nullable\((.*)\)$/.exec(type)?.[1] ?? type;
  return ` DEFAULT ${plain === 'Float64' ? `coalesce(${typed('Float64')}, toFloat64(${typed('Int64')}))` : typed(plain)}`;
}

function distributed(table: string, shardingKey: string, place: Place): readonly string[] {
  if (place.cluster === null) return [];
  const local = storageTable(table, place);
  return [
    `CREATE TABLE IF NOT EXISTS ${tableName(table, place)}${onCluster(place)} AS ${tableName(local, place)}\n` +
      `ENGINE = Distributed(${[place.cluster, place.database, local].map(quoteText).join(', ')}, ${shardingKey})`,
  ];
}

function engine(name: string, path: string, replica: string, { cluster }: Place): string {
  return cluster === null
    ? name
    : `Replicated${name}(${quoteText(`/clickhouse/tables/${path}`)}, ${quoteText(replica)})`;
}

/**
 * Pieces of five characters of the texts of 8,192 rows: 32 KiB, 4 bytes a row, with two bits a piece (decision 0276).
 * The compiler prints the same expression (`textIndex` in compiler/print/clickhouse/relations.ts).
 */
function searchIndex(exists = ''): string {
  const text = `ifNull(${quoteName(SEARCHED_COLUMN)}, '')`;
  return `INDEX ${exists}${quoteName(SEARCH_INDEX)} ${text} TYPE ngrambf_v1(5, 32768, 2, 0) GRANULARITY 1`;
}

function settingsList(settings: typeof CHEAP_PARTS): string {
  return settings.map(([name, value]) => `${name} = ${value}`).join(', ');
}

/** A batch is on disk before it is acknowledged; a repeated insert is recognized by its token. */
function durability({ cluster }: Place): string {
  const known = cluster === null ? 'non_replicated_deduplication_window' : 'replicated_deduplication_window';
  return `${known} = 10000, fsync_after_insert = 1, fsync_part_directory = 1`;
}

function tableName(table: string, { database }: Place): string {
  return `${quoteName(database)}.${quoteName(table)}`;
}

function onCluster({ cluster }: Place): string {
  return cluster === null ? '' : ` ON CLUSTER ${quoteName(cluster)}`;
}
