/** Changes JSON texts so that ClickHouse reads them as the dialect does, see `base/json/json-text`. */
import * as text from '../../base/json/json-text';
import { quoteText } from '../values/literals';

/** Whether a number of the text may be written otherwise by ClickHouse. */
export function hasOddNumber(x: string): string {
  return matches(x, text.ODD_NUMBER);
}

/** Numbers become texts with a mark. */
export function withMarkedNumbers(x: string): string {
  const marked = `replaceRegexpAll(${x}, ${quoteText(text.NUMBERS)}, ${quoteText(text.MARKED_NUMBER)})`;
  return `replaceRegexpOne(${marked}, ${quoteText(text.MARK_AT_END)}, '')`;
}

/** Text of a value that was read. */
export function unmarkedText(x: string): string {
  return `replaceAll(${x}, ${quoteText(text.MARK)}, '')`;
}

/** JSON text of a value that was read. */
export function unmarkedJson(x: string): string {
  return `replaceRegexpAll(${x}, ${quoteText(text.UNMARKED_NUMBER)}, '\\\\1')`;
}

function matches(x: string, pattern: string): string {
  return `match(${x}, ${quoteText(pattern)})`;
}
