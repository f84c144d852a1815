/**
 * Filters from the details of a log line, stored beside the text of LQL or SQL. A saved query that returns rows of one
 * table unchanged becomes the equivalent LQL.
 */
import type { DescribedColumn } from '#contract/queries/description';
import { filterSql, printLqlTable } from '#compiler/browser';
import { escapeVariables, unescapeVariables } from '#contract/plugin/literal-text';
import type { FieldFilter } from '#contract/plugin/query';
import type { EndpointResource } from '#contract/plugin/resources';
import type { LogEndpointsQuery } from '../types';
import { logTable, plainLogTable } from '../language/log-table';
import { lqlField } from '../language/lql-field';

export function hasFilter(query: LogEndpointsQuery, label: string, value: string, detail?: EndpointResource): boolean {
  const field = lqlField(label, columnsOf(query, detail));
  return (query.filters ?? []).some((each) => isFilterOf(each, field, value) && each.operator === '=');
}

/** Earlier versions stored the value of a log line without escapes. */
function isFilterOf(filter: FieldFilter, field: string, value: string): boolean {
  return filter.field === field && unescapeVariables(filter.value) === value;
}

/**
 * Adds a filter, removes it if it exists, and replaces its opposite. The value is that of a log line, not a variable.
 *
 * @returns undefined if the query cannot have filters
 */
export function toggleFilter(
  query: LogEndpointsQuery,
  { label, value, operator }: { readonly label: string; readonly value: string; readonly operator: '=' | '!=' },
  detail?: EndpointResource
): LogEndpointsQuery | undefined {
  const asked = takesFilters(query) ? query : asLql(query, detail);
  if (!asked) return undefined;
  const field = lqlField(label, columnsOf(asked, detail));
  const isSame = (each: FieldFilter) => isFilterOf(each, field, value);
  const all = asked.filters ?? [];
  const others = all.filter((each) => !isSame(each));
  const isThere = all.some((each) => isSame(each) && each.operator === operator);
  return { ...asked, filters: isThere ? others : [...others, { field, operator, value: escapeVariables(value) }] };
}

/** Whether field filters can be added to the query. */
export function takesFilters({ mode, sql = '' }: LogEndpointsQuery): boolean {
  return mode === 'lql' || (mode === 'sql' && filterSql(sql, []) !== undefined);
}

function asLql(query: LogEndpointsQuery, detail: EndpointResource | undefined): LogEndpointsQuery | undefined {
  const table = query.mode === 'saved' && detail?.endpoint.sandbox ? plainLogTable(detail) : undefined;
  return table === undefined ? undefined : { ...query, mode: 'lql', lql: `f:${escapeVariables(printLqlTable(table))}` };
}

function columnsOf(
  query: LogEndpointsQuery,
  detail: EndpointResource | undefined
): ReadonlyArray<Pick<DescribedColumn, 'name'>> | undefined {
  const table = logTable(query, detail);
  return detail?.tables.find(({ name }) => name === table)?.columns;
}
