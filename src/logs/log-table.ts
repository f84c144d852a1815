/** Which named table a query takes its rows from. What surrounds a line, how many there are and what a filter means is asked of that table. */
import type { DescribedTable } from '#contract/description';
import { maskNested } from '#contract/plugin/mask-nested';
import type { EndpointResource } from '#contract/plugin/resources';
import type { LogEndpointsQuery } from '../types';

/** @param detail of the endpoint; undefined when it is not known yet: only LQL that names its table can then be told */
export function logTable(query: LogEndpointsQuery, detail: EndpointResource | undefined): string | undefined {
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
 * The table whose rows a saved query returns as they are: it filters, joins and groups nothing, so that counts and filters of the table are
 * those of the query. Its own LIMIT is a page of the same rows.
 */
export function plainLogTable({ endpoint, tables, fields }: EndpointResource): string | undefined {
  const source = singleSource(endpoint.query, tables);
  const names = fields.map(({ name }) => name);
  return source?.isPlain && ['timestamp', 'event_message'].every((name) => names.includes(name))
    ? source.table
    : undefined;
}

function lqlTable(lql: string, detail: EndpointResource | undefined): string | undefined {
  const named = /(?:^|\s)(?:f|from):(\w+)/.exec(lql)?.[1];
  return named ?? detail?.endpoint.default_table ?? (detail?.tables.length === 1 ? detail.tables[0]?.name : undefined);
}

const PLAIN_END = /^\s*(?:(?:as\s+)?\w+\s*)?(?:order\s+by\s[\w\s.,]+)?(?:limit\s+\d+\s*)?;?\s*$/i;

/** The one table after FROM and JOIN of the outermost SELECT, if there is one. */
function singleSource(
  sql: string,
  tables: readonly DescribedTable[]
): { readonly table: string; readonly isPlain: boolean } | undefined {
  const outermost = maskNested(sql).replace(/`/g, ' ');
  const sources = [...outermost.matchAll(/\b(?:from|join)\s+(\w+)/gi)].filter(([, name]) => !/^unnest$/i.test(name!));
  const names = new Set(sources.map(([, name]) => name!.toLowerCase()));
  const table = tables.find(({ name }) => names.has(name.toLowerCase()))?.name;
  if (names.size !== 1 || table === undefined) return undefined;
  const [first] = sources;
  const rest = outermost.slice(first!.index + first![0].length);
  const isPlain = sources.length === 1 && PLAIN_END.test(rest) && !/\bselect\s+distinct\b|\bunion\b/i.test(outermost);
  return { table, isPlain };
}
