/** Adds a condition to the WHERE of the outermost SELECT. */
import type { TemplateToken } from './template-token';

/** What ends FROM and WHERE. */
const NEXT_CLAUSES = new Set(['|>', 'GROUP', 'HAVING', 'QUALIFY', 'WINDOW', 'ORDER', 'LIMIT', ';']);

/**
 * @param statement tokens outside of parentheses
 * @param fromEnd offset of the end of the table in FROM
 * @param isFromFirst whether the text begins with FROM, after which conditions are pipe operators
 */
export function insertCondition(
  sql: string,
  statement: readonly TemplateToken[],
  fromEnd: number,
  condition: string,
  isFromFirst = false
): string {
  const rest = statement.filter(({ offset }) => offset >= fromEnd);
  const end =
    rest.find(({ symbol }) => NEXT_CLAUSES.has(symbol))?.offset ?? statement[statement.length - 1]?.end ?? sql.length;
  const where = rest.find(({ symbol, offset }) => symbol === 'WHERE' && offset < end);
  const after = sql.slice(end);
  if (!where) {
    return `${sql.slice(0, end).trimEnd()}\n${isFromFirst ? '|> ' : ''}where ${condition}\n${after}`.trimEnd();
  }
  // The line break keeps a comment at the end of a line from swallowing the parenthesis.
  return `${sql.slice(0, where.end)} (${sql.slice(where.end, end).trim()}\n) and ${condition}\n${after}`.trimEnd();
}
