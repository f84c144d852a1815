/** SQL that both stores get for a query of a source with numbers. */
import { savedQuerySchema } from '#contract/queries/saved-query';
import type { ScalarType } from '#contract/events/source';
import type { Catalog, CatalogField, PhysicalType } from '#compiler/catalog/catalog';
import { compile } from '#compiler/compile';
import type { CompiledQuery } from '#compiler/output/compiled-query';

const DAY_MICROS = 86_400_000_000;

const leaf = (column: string, type: ScalarType): [string, CatalogField] => [column, { kind: 'leaf', type, column }];

/** The record `request` with a `path`, and in it the record `cf` with a number. */
const REQUEST: CatalogField = {
  kind: 'record',
  presence: 'request',
  fields: new Map<string, CatalogField>([
    leaf('path', 'STRING'),
    ['cf', { kind: 'record', presence: 'cf', fields: new Map([leaf('asn', 'INT64')]) }],
  ]),
};

/** A source with the fields `ms` and `cost` (FLOAT64) and `n` (INT64), and a record. */
function catalogOf(dialect: Catalog['dialect'], ms: PhysicalType, days = 1): Catalog {
  const columns = new Map<string, PhysicalType>([
    ['id', 'STRING'],
    ['timestamp', 'TIMESTAMP'],
    ['event_message', 'STRING'],
    ['metadata', 'STRING'],
    ['ms', ms],
    ['cost', 'FLOAT64'],
    ['n', 'INT64'],
    ['request', 'BOOL'],
    ['path', 'STRING'],
    ['cf', 'BOOL'],
    ['asn', 'INT64'],
  ]);
  const fields = new Map<string, CatalogField>([
    leaf('ms', 'FLOAT64'),
    leaf('cost', 'FLOAT64'),
    leaf('n', 'INT64'),
    ['request', REQUEST],
  ]);
  const parts = Array.from({ length: days }, (_, day) => ({
    table: day === 0 ? 'calls' : `calls${day}`,
    fromMicros: day * DAY_MICROS,
    toMicros: (day + 1) * DAY_MICROS,
    columns,
    json: null,
  })).reverse();
  const source = {
    name: 'calls',
    aliases: [],
    columns: [
      { name: 'id', type: 'STRING' },
      { name: 'timestamp', type: 'TIMESTAMP' },
      { name: 'event_message', type: 'STRING' },
    ],
    metadata: { kind: 'record', fields, presence: null },
    metadataText: 'metadata',
    tenant: null,
    declaredFields: [],
    parts,
  } as const;
  return { dialect, sources: [source] };
}

export const FROM = 'calls cross join unnest(metadata) as m';

/** SQL for DuckDB and for ClickHouse. @param ms how the field `ms` is stored */
export function sqlOf(query: string, ms: PhysicalType): readonly string[] {
  return (['duckdb', 'clickhouse'] as const).map((dialect) => compiledOf(query, catalogOf(dialect, ms)).sql);
}

/** The query over a source with a part for each of the first three days of 1970, for DuckDB. */
export function compiledOverDays(query: string): CompiledQuery {
  return compiledOf(query, catalogOf('duckdb', 'FLOAT64', 3));
}

function compiledOf(query: string, catalog: Catalog): CompiledQuery {
  const definition = savedQuerySchema.parse({ id: '11111111-1111-4111-8111-111111111111', name: 'case', query });
  return compile({
    definition,
    adhoc: null,
    parameters: {},
    catalog,
    nowMicros: 3 * DAY_MICROS,
    maxRows: 10,
    redaction: null,
    tenant: null,
  });
}
