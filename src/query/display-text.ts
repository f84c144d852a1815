import { unescapeVariables } from '#contract/plugin/literal-text';
import type { LogEndpointsQuery } from '../types';

/** One line for Explore's history. Includes parameter values, which distinguish runs of one endpoint. */
export function queryDisplayText({ endpoint, mode, params = {}, sql, lql, filters = [] }: LogEndpointsQuery): string {
  const name = endpoint?.name ?? endpoint?.id ?? 'no endpoint';
  const values = Object.entries(params)
    .filter(([, value]) => value !== '' && !/^\$\{__(from|to):date:iso\}$/.test(value))
    .map(([key, value]) => `${key}=${value}`);
  const text = mode === 'sql' ? sql : mode === 'lql' ? lql : undefined;
  const chips = filters.map(({ field, operator, value }) => `${field}${operator}${value}`);
  const line = [name, ...values, ...(text ? [text.replace(/\s+/g, ' ').trim()] : []), ...chips].join(' · ');
  return unescapeVariables(line);
}
