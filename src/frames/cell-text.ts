/** @returns a value of a field as text: records and lists as JSON, and an empty text for a missing value */
export function cellText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      return value === null || value === undefined ? '' : JSON.stringify(value);
  }
}
