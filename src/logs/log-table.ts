/** Finds the named table from which a query takes its rows. Log context, log volume and filters query that table. */
import type { DescribedTable } from '#contract/description';
import { maskNested } from '#contract/plugin/mask-nested';
import type { EndpointResource } from '#contract/plugin/resources';
import type { LogEndpointsQuery } from '../types';

/** @param detail of the endpoint; while it is undefined, only LQL that names its table has a result */
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
  const named = /(?:^|\s)(?:f|from):(\w+)/.exec(lql)?.[1];
  return named ?? detail?.endpoint.default_table ?? (detail?.tables.length === 1 ? detail.tables[0]?.name : undefined);
}

const PLAIN_END = /^\s*(?:(?:as\s+)?\w+\s*)?(?:order\s+by\s[\w\s.,]+)?(?:limit\s+\d+\s*)?;?\s*$/i;

/** The only table after FROM and JOIN of the outermost SELECT, if there is exactly one. */
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
