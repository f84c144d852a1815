/** What each stage of the compiler makes of one query, as text: the examples of compiler/README.md. */
import { stringify } from 'yaml';
import { savedQuerySchema } from '#contract/queries/saved-query';
import { type Catalog, type CompileRequest, printResolved, resolveRequest } from '#compiler';
import { tokenize } from '#compiler/sql/lexer/tokenize';
import { parseStatement } from '#compiler/sql/parser/query/parse-statement';

const DAY_MICROS = 86_400_000_000;

/** A source with one nested field and the events of one day. */
function catalog(dialect: Catalog['dialect']): Catalog {
  return {
    dialect,
    sources: [
      {
        name: 'function_logs',
        aliases: [],
        columns: [
          { name: 'id', type: 'STRING' },
          { name: 'timestamp', type: 'TIMESTAMP' },
          { name: 'event_message', type: 'STRING' },
        ],
        metadata: {
          kind: 'record',
          presence: null,
          fields: new Map([['level', { kind: 'leaf', type: 'STRING', column: 'metadata.level' }]]),
        },
        metadataText: 'metadata_json',
        tenant: null,
        declaredFields: ['level'],
        parts: [
          {
            table: 'function_logs_20260301',
            fromMicros: 0,
            toMicros: DAY_MICROS,
            columns: new Map([
              ['id', 'STRING'],
              ['timestamp', 'TIMESTAMP'],
              ['event_message', 'STRING'],
              ['metadata.level', 'STRING'],
              ['metadata_json', 'STRING'],
            ]),
            json: null,
          },
        ],
      },
    ],
  };
}

/** Texts of the stages by their names. */
export function compilerStages(sql: string): Readonly<Record<string, string>> {
  const request = (dialect: Catalog['dialect']): CompileRequest => ({
    definition: savedQuerySchema.parse({
      id: '00000000-0000-4000-8000-000000000001',
      name: 'a',
      query: sql,
      parameters: [{ name: 'level', type: 'text' }],
    }),
    adhoc: null,
    parameters: { level: 'error' },
    catalog: catalog(dialect),
    nowMicros: 0,
    maxRows: 1000,
    redaction: null,
    tenant: null,
  });
  const resolved = resolveRequest(request('duckdb'));
  const duckdb = printResolved(resolved, request('duckdb'));
  const clickhouse = printResolved(resolveRequest(request('clickhouse')), request('clickhouse'));
  const { values, rowLimit, columns } = duckdb;
  return {
    tokens: tokenize(sql)
      .map(({ kind, value, position }) => `${position.line}:${position.column} ${kind} ${value}`.trimEnd())
      .join('\n'),
    tree: show(parseStatement(sql)),
    plan: show(resolved.statement.query.plan),
    duckdb: duckdb.sql,
    clickhouse: clickhouse.sql,
    result: show({ values, rowLimit, columns }),
  };
}

/**
 * YAML without positions and without values that are null, false or empty; an object of one name or kind is written as
 * that.
 */
function show(value: unknown): string {
  return stringify(value, (_, part: unknown) => shorten(part), { lineWidth: 110 }).trimEnd();
}

const LEFT_OUT = new Set(['position', 'namePosition', 'display', 'bounds']);

function isEmpty(value: unknown): boolean {
  if (value instanceof Map) return value.size === 0;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function shorten(part: unknown): unknown {
  if (part instanceof Map) return Object.fromEntries(part);
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  const kept = Object.entries(part).filter(
    ([name, value]) => !LEFT_OUT.has(name) && value !== null && value !== false && !isEmpty(value)
  );
  const [only] = kept;
  if (kept.length === 1 && (only![0] === 'kind' || only![0] === 'name')) return only![1];
  const isScan = kept.some(([name, value]) => name === 'kind' && value === 'scan');
  return Object.fromEntries(isScan ? kept.filter(([name]) => name !== 'parts') : kept);
}
