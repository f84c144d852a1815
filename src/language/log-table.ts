/** Finds the named table from which a query takes its rows. Log context, log volume and filters query that table. */
import type { DescribedTable } from '#contract/queries/description';
import {
  isSetOperator,
  outermost,
  readLqlWords,
  readSources,
  tokenizeTemplate,
  type TemplateToken,
} from '#compiler/browser';
import type { PluginQueryInput } from '#contract/plugin/query';
import type { EndpointResource } from '#contract/plugin/resources';
import { namedTable } from './lql-clauses';

type TextQuery = Pick<PluginQueryInput, 'mode' | 'sql' | 'lql'>;

/** @param detail of the endpoint; while it is undefined, only LQL that names its table has a result */
export function logTable(query: TextQuery, detail: EndpointResource | undefined): string | undefined {
  switch (query.mode) {
    case 'lql':
      return lqlTable(query.lql ?? '', detail);
    case 'sql':
      return detail && singleSource(query.sql ?? '', detail.tables)?.table;
    default:
      return detail && singleSource(detail.endpoint.query, detail.tables)?.table;
  }
}

/**
 * Table whose rows a saved query returns unchanged, without filters, joins or groups, so that counts and filters of the
 * table apply to the query. A LIMIT is allowed: it is a page of the same rows.
 */
export function plainLogTable({ endpoint, tables, fields }: EndpointResource): string | undefined {
  const source = singleSource(endpoint.query, tables);
  const names = fields.map(({ name }) => name);
  return source?.isPlain && ['timestamp', 'event_message'].every((name) => names.includes(name))
    ? source.table
    : undefined;
}

function lqlTable(lql: string, detail: EndpointResource | undefined): string | undefined {
  const words = readLqlWords(lql);
  const named = namedTable(words);
  if (named !== undefined || words.some(({ keyword }) => keyword === 'from')) return named;
  return detail?.endpoint.default_table ?? (detail?.tables.length === 1 ? detail.tables[0]?.name : undefined);
}

/** The only table after FROM and JOIN of the outermost SELECT, if there is exactly one. */
function singleSource(
  sql: string,
  tables: readonly DescribedTable[]
): { readonly table: string; readonly isPlain: boolean } | undefined {
  const tokens = tokenizeTemplate(sql);
  const sources = readSources(tokens).filter(({ kind, depth }) => kind === 'table' && depth === 0);
  const aliases = sources.map(({ path, alias }) => (alias ?? path[path.length - 1] ?? '').toLowerCase());
  // `FROM logs AS l, l.metadata` opens a record of a table before it.
  const isRecord = ([first = '', ...rest]: readonly string[], at: number) =>
    rest.length > 0 && aliases.indexOf(first.toLowerCase()) < at && aliases.includes(first.toLowerCase());
  const named = sources.filter(({ path }, at) => !isRecord(path, at));
  const names = new Set(named.map(({ path }) => path.join('.').toLowerCase()));
  const table = tables.find(({ name }) => names.has(name.toLowerCase()))?.name;
  const [first] = sources;
  if (names.size !== 1 || table === undefined || !first) return undefined;
  const statement = outermost(tokens);
  const isPlain =
    isPlainEnd(statement.filter(({ offset }) => offset >= first.end)) &&
    !statement.some((_, at) => isSetOperator(statement, at) || isDistinct(statement, at));
  return { table, isPlain };
}

function isDistinct(tokens: readonly TemplateToken[], at: number): boolean {
  return tokens[at]?.symbol === 'SELECT' && tokens[at + 1]?.symbol === 'DISTINCT';
}

/** Whether what follows a table keeps its rows as they are: ORDER BY with names and LIMIT. */
function isPlainEnd(tokens: readonly TemplateToken[]): boolean {
  let at = 0;
  const accept = (...symbols: readonly string[]) => {
    const isThere = symbols.every(
      (symbol, ahead) => (tokens[at + ahead]?.symbol || tokens[at + ahead]?.kind) === symbol
    );
    if (isThere) at += symbols.length;
    return isThere;
  };
  if (accept('ORDER', 'BY')) while (isOrder(tokens[at])) at += 1;
  if (accept('LIMIT', 'number')) accept('OFFSET', 'number');
  accept(';');
  return at === tokens.length;
}

function isOrder(token: TemplateToken | undefined): boolean {
  if (!token || token.symbol === 'LIMIT') return false;
  const { kind, symbol } = token;
  return kind === 'word' || kind === 'name' || kind === 'number' || symbol === '.' || symbol === ',';
}
