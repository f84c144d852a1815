/**
 * Adds field filters to SQL as conditions in the WHERE of the outermost SELECT, on the first table that it reads. They
 * apply before grouping and LIMIT.
 */
import { filterValues } from '#contract/plugin/field-filter';
import type { FieldFilter } from '#contract/plugin/query';
import { AD_HOC_LIMITS } from '../sql/parse-limits';
import { insertCondition } from './insert-condition';
import { nestedCondition } from './nested-condition';
import { isSetOperator, outermost } from './outermost';
import { printName, printText } from './print-text';
import { readSources } from './read-sources';
import { tokenizeTemplate } from './tokenize-template';

const STARTS = new Set(['SELECT', 'WITH', 'FROM']);

/**
 * @returns the text itself if it is too long to run; undefined when it reads no table to which the filters could apply
 */
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
  const table = printName(from.alias ?? from.path[from.path.length - 1] ?? '');
  const conditions = filters.map((filter) => condition(filter, table)).join(' and ');
  const isFromFirst = !statement.some(({ symbol, offset }) => symbol === 'SELECT' && offset < from.offset);
  return insertCondition(sql, statement, from.end, conditions, isFromFirst);
}

function condition({ field, operator, value }: FieldFilter, table: string): string {
  const isNegative = operator.startsWith('!');
  const values = filterValues(operator, value).map(printText).join(', ');
  const compare = (leaf: string): string => comparison(`cast(${leaf} as string)`, operator, values);
  const [first = '', ...names] = pathOf(field);
  if (first !== 'metadata' || names.length === 0) {
    const own = compare(`${table}.${printName(first)}`);
    return isNegative ? `not coalesce(${own}, false)` : own;
  }
  const found = nestedCondition(
    `${table}.metadata`,
    names.map((name) => ({ name })),
    compare
  );
  return isNegative ? `not ${found}` : found;
}

function comparison(text: string, operator: FieldFilter['operator'], value: string): string {
  switch (operator) {
    case '=':
    case '!=':
      return `${text} = ${value}`;
    case '=|':
    case '!=|':
      return `${text} in (${value})`;
    case '=~':
    case '!~':
      return `regexp_contains(${text}, ${value})`;
    default:
      return `safe_cast(${text} as float64) ${operator} safe_cast(${value} as float64)`;
  }
}

/** @param field path in LQL notation: `m.request.headers."user-agent"` @returns its names */
function pathOf(field: string): string[] {
  const parts = [...field.matchAll(/"((?:\\.|[^"\\])*)"|([^."]+)/g)].map(
    ([, quoted, plain = '']) => quoted?.replace(/\\(["\\])/g, '$1') ?? plain
  );
  const [first = '', ...rest] = parts;
  return [first === 'm' ? 'metadata' : first, ...rest];
}
