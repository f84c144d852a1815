/**
 * Adds a condition on a value of its result to SQL: rows with the value, or without it. Where the result has columns of
 * one table as they are, the condition is in the WHERE of the text, else in a pipe operator before its LIMIT.
 */
import { AD_HOC_LIMITS } from '../sql/parse-limits';
import { insertCondition } from './insert-condition';
import { isSetOperator, outermost } from './outermost';
import { printName } from './print-text';
import { readSources } from './read-sources';
import type { TemplateToken } from './template-token';
import { tokenizeTemplate } from './tokenize-template';
import { type RowFilter, valueCondition } from './value-condition';

/** @returns undefined when the value cannot be compared, or the text would be too long to run */
export function filterRows(sql: string, filter: RowFilter): string | undefined {
  const tokens = tokenizeTemplate(sql);
  const statement = outermost(tokens);
  if (statement.length === 0 || tokens.some(({ kind }) => kind === 'unclosed' || kind === 'unknown')) return undefined;
  const table = plainTable(tokens, statement);
  const condition = valueCondition(filter, table?.alias ?? null);
  if (condition === undefined) return undefined;
  const filtered = table
    ? insertCondition(sql, statement, table.end, condition)
    : pipeCondition(sql, statement, condition);
  return new TextEncoder().encode(filtered).length <= AD_HOC_LIMITS.maxBytes ? filtered : undefined;
}

const NOT_ROWS = new Set(['GROUP', 'HAVING', 'QUALIFY', 'WINDOW', 'DISTINCT', '|>']);

/** The only table of a SELECT that takes over columns under their names. */
function plainTable(
  tokens: readonly TemplateToken[],
  statement: readonly TemplateToken[]
): { readonly alias: string; readonly end: number } | undefined {
  const select = statement.findIndex(({ symbol }) => symbol === 'SELECT');
  const from = statement.findIndex(({ symbol }) => symbol === 'FROM');
  const sources = readSources(tokens).filter(({ depth }) => depth === 0);
  const [source] = sources;
  if (select === -1 || from < select || sources.length !== 1 || source?.kind !== 'table') return undefined;
  if (
    source.path.length !== 1 ||
    statement.some((token, at) => NOT_ROWS.has(token.symbol) || isSetOperator(statement, at))
  ) {
    return undefined;
  }
  const name = source.alias ?? source.path[0]!;
  const items = statement.slice(select + 1, from);
  if (!items.every((_, at) => isTakenOver(items, at, name))) return undefined;
  return { alias: printName(name), end: source.end };
}

/** Whether the token at an index can be part of `*`, `column`, `table.column` or `table.*`, separated by commas. */
function isTakenOver(items: readonly TemplateToken[], at: number, table: string): boolean {
  const { kind, symbol, value } = items[at]!;
  const before = at === 0 ? ',' : items[at - 1]!.symbol;
  const after = items[at + 1]?.symbol ?? ',';
  if (symbol === ',') return true;
  if (symbol === '.') return after !== ',';
  if (symbol === '*') return after === ',' && (before === ',' || before === '.');
  if (kind !== 'word' && kind !== 'name') return false;
  const isTable = value.toLowerCase() === table.toLowerCase() && before === ',';
  return after === ',' ? before === ',' || (before === '.' && isQualified(items, at, table)) : after === '.' && isTable;
}

function isQualified(items: readonly TemplateToken[], at: number, table: string): boolean {
  return items[at - 2]?.value.toLowerCase() === table.toLowerCase();
}

/** The condition follows ORDER BY, whose order it keeps. */
function pipeCondition(sql: string, statement: readonly TemplateToken[], condition: string): string {
  const end = statement.filter(({ symbol }) => symbol !== ';').pop()?.end ?? sql.length;
  const limit = statement.map(({ symbol }) => symbol).lastIndexOf('LIMIT');
  const isLast = limit !== -1 && statement.slice(limit).every((token) => isPartOfLimit(token));
  const piped = `|> where ${condition}`;
  if (!isLast) return `${sql.slice(0, end).trimEnd()}\n${piped}`;
  const isPipe = statement[limit - 1]?.symbol === '|>';
  const head = sql.slice(0, statement[isPipe ? limit - 1 : limit]!.offset).trimEnd();
  return `${head}\n${piped}\n|> ${sql.slice(statement[limit]!.offset, end).trimEnd()}`;
}

function isPartOfLimit({ kind, symbol }: TemplateToken): boolean {
  return symbol === 'LIMIT' || symbol === 'OFFSET' || symbol === ';' || kind === 'number' || kind === 'variable';
}
