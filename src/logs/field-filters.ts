/** Filters from the details of a log line. They live in a field of their own beside the LQL text; SQL and saved queries take none. */
import type { FieldFilter } from '#contract/plugin/query';
import type { LogEndpointsQuery } from '../types';

const OWN_COLUMNS = new Set(['id', 'timestamp', 'event_message', 'project']);

/** A label of a log line as LQL names it: `request.headers.user-agent` is `m.request.headers."user-agent"`. */
export function lqlField(label: string): string {
  if (OWN_COLUMNS.has(label)) return label;
  const path = label.split('.').filter((part) => !/^\d+$/.test(part));
  return ['m', ...path.map((part) => (/^[A-Za-z_]\w*$/.test(part) ? part : JSON.stringify(part)))].join('.');
}

export function hasFilter(query: LogEndpointsQuery, label: string, value: string): boolean {
  return (query.filters ?? []).some(
    (each) => each.field === lqlField(label) && each.value === value && each.operator === '='
  );
}

/** Adds it, takes it off when it is there, and replaces its opposite. */
export function toggleFilter(
  query: LogEndpointsQuery,
  label: string,
  value: string,
  operator: FieldFilter['operator']
): LogEndpointsQuery {
  if (query.mode !== 'lql') return query;
  const field = lqlField(label);
  const others = (query.filters ?? []).filter((each) => each.field !== field || each.value !== value);
  const isThere = (query.filters ?? []).some(
    (each) => each.field === field && each.value === value && each.operator === operator
  );
  return { ...query, filters: isThere ? others : [...others, { field, operator, value }] };
}
