import type { Parameter } from '#contract/queries/saved-query';

/**
 * Error message for a parameter value, as far as the browser can check it; the service checks everything. Texts with
 * variables or macros are not checked, because their value is unknown.
 */
export function parameterProblem(parameter: Parameter, value: string): string | undefined {
  if (value.trim() === '') return parameter.required && !parameter.default ? 'Required.' : undefined;
  if (/\$|\[\[/.test(value)) return undefined;
  if (parameter.enum && !parameter.enum.includes(value)) return `One of ${parameter.enum.join(', ')}.`;
  switch (parameter.type) {
    case 'integer':
      return /^[+-]?\d+$/.test(value) ? undefined : 'A whole number.';
    case 'number':
      return Number.isFinite(Number(value)) ? undefined : 'A number.';
    case 'boolean':
      return /^(true|false)$/i.test(value) ? undefined : 'true or false.';
    default:
      return isTime(parameter) && !/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}|$)/.test(value)
        ? 'A time such as 2026-03-01T08:00:00Z.'
        : undefined;
  }
}

export function isTime({ type, format }: Parameter): boolean {
  return type === 'timestamp' || format === 'iso8601';
}
