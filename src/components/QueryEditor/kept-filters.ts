import { warn } from '../../datasource/notify';
import { takesFilters } from '../../logs/field-filters';
import type { LogEndpointsQuery } from '../../types';
import { filterText } from './FilterChips';

/** Filters that hold for the changed query too; says which do not. */
export function keptFilters(
  query: LogEndpointsQuery,
  changed: Partial<LogEndpointsQuery>
): Pick<LogEndpointsQuery, 'filters'> {
  const { filters } = query;
  if (!filters?.length || takesFilters({ ...query, ...changed })) return {};
  warn('The filters were removed', `This query takes none. They were: ${filters.map(filterText).join(', ')}.`);
  return { filters: undefined };
}
