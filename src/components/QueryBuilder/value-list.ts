/** Values of a filter in one field, between commas. */
import type { FilterValue } from '../../builder/model';

/** Values with commas, with quotes or with white space around them are in quotes. */
export function printList(values: readonly FilterValue[]): string {
  return values
    .map(({ text }) => (/[",]|^\s|\s$/.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : text))
    .join(', ');
}

/** Texts of the values. */
export function readList(text: string): readonly string[] {
  const parts = text.match(/\s*"(?:\\.|[^"\\])*"|[^,]+/gs) ?? [];
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (/^".*"$/s.test(part) ? part.slice(1, -1).replace(/\\(["\\])/g, '$1') : part));
}
