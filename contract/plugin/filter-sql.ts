/**
 * Adds field filters to SQL as conditions in the WHERE of the outermost SELECT, on the first table that it reads. They
 * apply before grouping and LIMIT.
 */
import { maskNested } from './mask-nested';
import type { FieldFilter } from './query';

/** Prefix of the aliases of nested records; unlikely in a text that a person writes. */
const RECORD = 'filtered_record_';
/** Clauses that end FROM and WHERE. */
const NEXT_CLAUSE = /\b(?:group\s+by|having|qualify|window|order\s+by|limit)\b|;/i;
const FIRST_TABLE =
  /(?<!distinct\s{1,9})\bfrom\s+(`[^`]+`|[A-Za-z_]\w*)(?:\s+as\s+([A-Za-z_]\w*)|\s+(?!(?:where|cross|inner|left|right|full|join|on|using|group|having|qualify|window|order|limit|union|intersect|except|tablesample)\b)([A-Za-z_]\w*))?/i;

/** @returns undefined when the text reads no table to which the filters could apply */
export function filterSql(sql: string, filters: readonly FieldFilter[]): string | undefined {
  const outermost = maskNested(sql);
  const from = FIRST_TABLE.exec(outermost);
  if (
    !from ||
    !/^\s*(?:select|with)\b/i.test(outermost) ||
    /\b(?:union|intersect|except\s+(?:all|distinct))\b/i.test(outermost)
  ) {
    return undefined;
  }
  if (filters.length === 0) return sql;
  const [whole, name = '', ...aliases] = from;
  const table = aliases.find(Boolean) ?? name;
  const afterFrom = from.index + whole.length;
  const next = NEXT_CLAUSE.exec(outermost.slice(afterFrom));
  const end = next ? afterFrom + next.index : outermost.trimEnd().length;
  const where = /\bwhere\b/i.exec(outermost.slice(afterFrom, end));
  const conditions = filters.map((filter) => condition(filter, table)).join(' and ');
  const rest = sql.slice(end);
  if (!where) return `${sql.slice(0, end).trimEnd()}\nwhere ${conditions}\n${rest}`.trimEnd();
  const whereEnd = afterFrom + where.index + where[0].length;
  // The line break keeps a comment at the end of a line from swallowing the parenthesis.
  return `${sql.slice(0, whereEnd)} (${sql.slice(whereEnd, end).trim()}\n) and ${conditions}\n${rest}`.trimEnd();
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
  return /^[A-Za-z_]\w*$/.test(part) ? part : `\`${part.replace(/[`\\]/g, '')}\``;
}

function quote(text: string): string {
  const escaped = text.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r');
  return `'${escaped}'`;
}
