/** Converts Grafana's ad-hoc filters to LQL, with the fields that they can name and the values of these. */
import type { AdHocVariableFilter } from '@grafana/data';
import type { DescribedColumn, DescribedTable } from '#contract/queries/description';
import { printLqlTable } from '#compiler/browser';
import { FILTER_OPERATORS, takesList } from '#contract/plugin/field-filter';
import { escapeVariables } from '#contract/plugin/literal-text';
import type { FieldFilter } from '#contract/plugin/query';
import { lqlField } from '../../language/lql-field';

const MAX_KEYS = 500;

/**
 * Skips filters without a field or with an unknown operator: Grafana passes on incomplete filters while they are
 * edited.
 */
export function fieldFilters(filters: readonly AdHocVariableFilter[]): FieldFilter[] {
  return filters.flatMap(({ key, operator, value, values }): FieldFilter[] => {
    if (!key || value === undefined || isRemoved({ operator, value })) return [];
    const known = FILTER_OPERATORS.find((each) => each === operator);
    if (known === undefined) return [];
    // Grafana writes the first of several values beside them too.
    const text = takesList(known) ? JSON.stringify(values?.length ? values : [value]) : value;
    return [{ field: fieldOf(key), operator: known, value: escapeVariables(text) }];
  });
}

/** A default filter of the dashboard that a user has removed, which Grafana writes as one that matches everything. */
function isRemoved({ operator, value }: Pick<AdHocVariableFilter, 'operator' | 'value'>): boolean {
  return operator === '=~' && value === '.*';
}

/** Fields with a single value, in LQL notation. */
export function filterKeys({ columns }: DescribedTable): string[] {
  return columns.flatMap((column) => leaves(column, [])).slice(0, MAX_KEYS);
}

/** Counts each value in the time range, for a list to choose from; the service limits the rows. */
export function valuesLql(table: string, field: string): string {
  const [from, group] = [printLqlTable(table), fieldOf(field)].map(escapeVariables);
  return `f:${from} $__timeFilter c:count(*) c:group_by($__timeGroup(365d)) c:group_by(${group})`;
}

/** Keys are offered in LQL notation; others, typed by a user, are labels. */
function fieldOf(key: string): string {
  return /^(?:m|metadata)(?:\.(?:\w+|"[^"\\]*"))+$|^[A-Za-z_]\w*$/.test(key) ? key : lqlField(key);
}

function leaves({ name, type, fields }: DescribedColumn, parents: readonly string[]): string[] {
  const path = [...parents, name];
  if (fields) return fields.flatMap((field) => leaves(field, path));
  if (/^ARRAY/i.test(type) || (parents.length === 0 && name === 'timestamp')) return [];
  return [parents.length === 0 ? name : lqlField(path.slice(1).join('.'), [])];
}
