/** Changes JSON texts so that DuckDB reads them as the dialect does, see `base/json/json-text`. */
import * as text from '../../base/json/json-text';
import { quoteText } from '../values/literals';

/** Whether a text that DuckDB reads has nothing that it reads otherwise than the dialect. */
export function isPlain(x: string): string {
  return `regexp_full_match(${x}, ${quoteText(text.PLAIN)})`;
}

/**
 * Whether a text is JSON, maybe with numbers that DuckDB writes otherwise. DuckDB also accepts NaN, Infinity, and a
 * comma behind the last item.
 * @param x a short text, which is repeated
 */
export function isStrictJson(x: string): string {
  return `json_valid(${x}) AND ${isStrict(x)}`;
}

/** The same of a text that DuckDB reads. */
export function isStrict(x: string): string {
  return `regexp_full_match(${x}, ${quoteText(text.STRICT)})`;
}

/** Whether a text has a number that DuckDB may write otherwise. */
export function hasOddNumber(x: string): string {
  return `${matches(x, text.ODD_NUMBER)} <> ''`;
}

/** Numbers become texts with a mark. */
export function withMarkedNumbers(x: string): string {
  const marked = `regexp_replace(${x}, ${quoteText(text.NUMBERS)}, ${quoteText(text.MARKED_NUMBER)}, 'g')`;
  return `regexp_replace(${marked}, ${quoteText(text.MARK_AT_END)}, '')`;
}

/** Text of a value that was read. */
export function unmarkedText(x: string): string {
  return `replace(${x}, ${quoteText(text.MARK)}, '')`;
}

/** JSON text of a value that was read. */
export function unmarkedJson(x: string): string {
  return `regexp_replace(${x}, ${quoteText(text.UNMARKED_NUMBER)}, '\\1', 'g')`;
}

/** The match, or an empty text. `regexp_matches` would compile its pattern three times. */
function matches(x: string, pattern: string): string {
  return `regexp_extract(${x}, ${quoteText(pattern)})`;
}
