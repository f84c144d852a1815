/** Prints filters whose value follows a plain colon: an equality, a range, a list or NULL. */
import { KEYWORDS } from '../parser/read-head';

/**
 * `m.a:1`, `-m.a:1`. After a name that begins another clause, as `f:` does, the colon is `:!=`: `-f:!=1`, `f:!=1`.
 *
 * @param path and value as LQL writes them
 */
export function printEquality(path: string, value: string, negated: boolean): string {
  if (KEYWORDS.has(path)) return `${negated ? '' : '-'}${path}:!=${value}`;
  return `${negated ? '-' : ''}${path}:${value}`;
}
