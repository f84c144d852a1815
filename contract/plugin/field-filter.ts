/** Operators of field filters, and their values. */

/**
 * `=~` and `!~` match a regular expression (RE2). `=|` and `!=|`, which are Grafana's, compare with several values: the
 * value is a list in JSON.
 */
export const FILTER_OPERATORS = ['=', '!=', '=~', '!~', '<', '<=', '>', '>=', '=|', '!=|'] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

export function takesList(operator: FilterOperator): boolean {
  return operator === '=|' || operator === '!=|';
}

/** At least one value. A list that cannot be read is one value. */
export function filterValues(operator: FilterOperator, value: string): readonly string[] {
  const list = takesList(operator) ? parseTexts(value) : [];
  return list.length > 0 ? list : [value];
}

function parseTexts(json: string): readonly string[] {
  try {
    const values: unknown = JSON.parse(json);
    return Array.isArray(values) && values.every((each) => typeof each === 'string') ? values : [];
  } catch {
    return [];
  }
}
