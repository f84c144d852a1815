/**
 * Adds field filters to SQL as conditions in the WHERE of the outermost SELECT, on the first table that it reads. They
 * apply before grouping and LIMIT.
 */
import type { FieldFilter } from '#contract/plugin/query';
import { AD_HOC_LIMITS } from '../sql/parse-limits';
import { RESERVED_WORDS } from '../sql/reserved-words';
import { isSetOperator, outermost } from './outermost';
import { readSources } from './read-sources';
import { tokenizeTemplate } from './tokenize-template';

/** Prefix of the aliases of nested records; unlikely in a text that a person writes. */
const RECORD = 'filtered_record_';
const STARTS = new Set(['SELECT', 'WITH', 'FROM']);
/** What ends FROM and WHERE. */
const NEXT_CLAUSES = new Set(['|>', 'GROUP', 'HAVING', 'QUALIFY', 'WINDOW', 'ORDER', 'LIMIT', ';']);

/** @returns the text itself if it is too long to run; undefined when it reads no table to which the filters could apply */
export function filterSql(sql: string, filters: readonly FieldFilter[]): string | undefined {
  // Longer texts are refused, and the tokens of a megabyte would fill the memory of the data source's backend.
  if (sql.length > AD_HOC_LIMITS.maxBytes) return sql;
  const tokens = tokenizeTemplate(sql);
  const statement = outermost(tokens);
  const start = statement[0]?.symbol;
  const from = readSources(tokens).find(({ kind, depth, isFirst }) => kind === 'table' && depth === 0 && isFirst);
  if (!from || !STARTS.has(start ?? '') || statement.some((_, at) => isSetOperator(statement, at))) {
    return undefined;
  }
  if (filters.length === 0) return sql;
  const table = nameOf(from.alias ?? from.path[from.path.length - 1] ?? '');
  const rest = statement.filter(({ offset }) => offset >= from.end);
  const end =
    rest.find(({ symbol }) => NEXT_CLAUSES.has(symbol))?.offset ?? statement[statement.length - 1]?.end ?? sql.length;
  const where = rest.find(({ symbol, offset }) => symbol === 'WHERE' && offset < end);
  const conditions = filters.map((filter) => condition(filter, table)).join(' and ');
  const after = sql.slice(end);
  const isFromFirst = !statement.some(({ symbol, offset }) => symbol === 'SELECT' && offset < from.offset);
  if (!where) {
    return `${sql.slice(0, end).trimEnd()}\n${isFromFirst ? '|> ' : ''}where ${conditions}\n${after}`.trimEnd();
  }
  // The line break keeps a comment at the end of a line from swallowing the parenthesis.
  return `${sql.slice(0, where.end)} (${sql.slice(where.end, end).trim()}\n) and ${conditions}\n${after}`.trimEnd();
}

function condition({ field, operator, value }: FieldFilter, table: string): string {
  const path = pathOf(field);
  const isNegative = operator === '!=' || operator === '!~';
  const compare = (leaf: string): string => comparison(`cast(${leaf} as string)`, operator, quote(value));
  const [first = '', ...keys] = path;
  if (first !== 'metadata' || keys.length === 0) {
    const own = compare(`${table}.${first}`);
    return isNegative ? `not coalesce(${own}, false)` : own;
  }
  const leaf = keys.pop()!;
  const records = ['metadata', ...keys].map(
    (key, at) => `unnest(${at === 0 ? table : `${RECORD}${at - 1}`}.${key}) as ${RECORD}${at}`
  );
  const found = `exists(select 1 from ${records.join(' cross join ')} where ${compare(`${RECORD}${records.length - 1}.${leaf}`)})`;
  return isNegative ? `not ${found}` : found;
}

function comparison(text: string, operator: FieldFilter['operator'], value: string): string {
  switch (operator) {
    case '=':
    case '!=':
      return `${text} = ${value}`;
    case '=~':
    case '!~':
      return `regexp_contains(${text}, ${value})`;
    default:
      return `safe_cast(${text} as float64) ${operator} safe_cast(${value} as float64)`;
  }
}

/** @param field path in LQL notation: `m.request.headers."user-agent"` @returns its names, quoted for SQL */
function pathOf(field: string): string[] {
  const parts = [...field.matchAll(/"((?:\\.|[^"\\])*)"|([^."]+)/g)].map(
    ([, quoted, plain = '']) => quoted?.replace(/\\(["\\])/g, '$1') ?? plain
  );
  const [first = '', ...rest] = parts;
  return [first === 'm' ? 'metadata' : nameOf(first), ...rest.map(nameOf)];
}

function nameOf(part: string): string {
  return /^[A-Za-z_]\w*$/.test(part) && !RESERVED_WORDS.has(part.toUpperCase())
    ? part
    : `\`${part.replace(/[`\\]/g, '')}\``;
}

function quote(text: string): string {
  const escaped = text.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r');
  return `'${escaped}'`;
}
