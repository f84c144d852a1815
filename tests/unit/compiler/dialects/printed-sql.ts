/** SQL that both stores get for a query of a source with numbers. */
import { savedQuerySchema } from '#contract/saved-query';
import type { ScalarType } from '#contract/source';
import type { Catalog, CatalogField, PhysicalType } from '#compiler/catalog/catalog';
import { compile } from '#compiler/compile';

const leaf = (column: string, type: ScalarType): [string, CatalogField] => [column, { kind: 'leaf', type, column }];

/** A source with the fields `ms` and `cost` (FLOAT64) and `n` (INT64). */
function catalogOf(dialect: Catalog['dialect'], ms: PhysicalType): Catalog {
  const columns = new Map<string, PhysicalType>([
    ['id', 'STRING'],
    ['timestamp', 'TIMESTAMP'],
    ['event_message', 'STRING'],
    ['metadata', 'STRING'],
    ['ms', ms],
    ['cost', 'FLOAT64'],
    ['n', 'INT64'],
  ]);
  const fields = new Map([leaf('ms', 'FLOAT64'), leaf('cost', 'FLOAT64'), leaf('n', 'INT64')]);
  const part = { table: 'calls', fromMicros: 0, toMicros: 86_400e6, columns, json: null };
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
    parts: [part],
  } as const;
  return { dialect, sources: [source] };
}

export const FROM = 'calls cross join unnest(metadata) as m';

/** SQL for DuckDB and for ClickHouse. @param ms how the field `ms` is stored */
export function sqlOf(query: string, ms: PhysicalType): readonly string[] {
  const definition = savedQuerySchema.parse({ id: '11111111-1111-4111-8111-111111111111', name: 'case', query });
  return (['duckdb', 'clickhouse'] as const).map((dialect) => {
    const catalog = catalogOf(dialect, ms);
    const request = {
      definition,
      adhoc: null,
      parameters: {},
      catalog,
      nowMicros: 0,
      maxRows: 10,
      redaction: null,
      tenant: null,
    };
    return compile(request).sql;
  });
}
