/** Changes JSON texts so that ClickHouse reads them as the dialect does, see `base/json-text`. */
import * as text from '../base/json-text';
import { nameOnce } from './bind-once';
import { quoteText } from './literals';

/** Whether a number of the text may be written otherwise by ClickHouse. */
export function hasOddNumber(x: string): string {
  return matches(x, text.ODD_NUMBER);
}

/** Numbers become texts with a mark. */
export function withMarkedNumbers(x: string): string {
  const marked = `replaceRegexpAll(${x}, ${quoteText(text.NUMBERS)}, ${quoteText(text.MARKED_NUMBER)})`;
  return `replaceAll(${marked}, ${quoteText(text.INCOMPLETE)}, '')`;
}

/** Text of a value that was read; NULL if it was not complete. */
export function unmarkedText(x: string): string {
  const mark = quoteText(text.MARK);
  return `replaceAll(nullIf(${x}, ${mark}), ${mark}, '')`;
}

/** JSON text of a value that was read; NULL if it was not complete. @param x a short text, which is repeated */
export function unmarkedJson(x: string): string {
  const unmarked = `replaceRegexpAll(${x}, ${quoteText(text.UNMARKED_NUMBER)}, '\\\\1')`;
  return `if(position(${x}, ${quoteText(text.INCOMPLETE)}) = 0, ${unmarked}, NULL)`;
}

/** Whether a text may begin with JSON, so that repairing it is worth the time. @param x a short text */
export function beginsJson(x: string): string {
  return `${matches(x, text.BEGINS_JSON)} AND length(${x}) <= ${text.MAX_REPAIRED_BYTES}`;
}

/**
 * JSON with the complete values at the beginning of a text that `beginsJson`, numbers marked; no JSON if there are none.
 * @param x a short text, which is repeated
 */
export function repaired(x: string): string {
  const tokens = `extract(ifNull(${x}, ''), ${quoteText(text.TOKENS)})`;
  const complete = `replaceRegexpOne(${tokens}, ${quoteText(text.CUT_NUMBER)}, '')`;
  const pieces = `extractAll(${complete}, ${quoteText(text.PIECES)})`;
  const read = nameOnce(`tuple(${pieces}, ${openBrackets(pieces)})`, (v) => {
    const rest = `if(startsWith(${v}.2, '!'), length(${v}.2) - 1, 0)`;
    const kept = `arrayStringConcat(arraySlice(${v}.1, 1, length(${v}.1) - ${rest}))`;
    const marked = withMarkedNumbers(`replaceRegexpOne(${kept}, '[ \\\\t\\\\r\\\\n]+$', '')`);
    return `tuple(replaceRegexpAll(${marked}, ${quoteText(text.LAST_COMMA)}, '\\\\1\\\\2'), ${v}.2)`;
  });
  return nameOnce(read, (v) => closed(`${v}.1`, `${v}.2`));
}

/** Closing brackets that are missing; if none are, a `!`, and another one for each piece that follows. */
function openBrackets(pieces: string): string {
  const step =
    `multiIf(length(a) > ${text.MAX_REPAIRED_DEPTH}, a, startsWith(a, '!'), concat(a, '!'), ` +
    `t = '{', concat('}', a), t = '[', concat(']', a), t NOT IN ('}', ']'), a, ` +
    `length(a) < 2, '!', substring(a, 2))`;
  return `arrayFold((a, t) -> ${step}, ${pieces}, '')`;
}

function closed(json: string, open: string): string {
  const mark = quoteText(text.INCOMPLETE);
  const last = `substring(${json}, -1)`;
  const inList = `startsWith(${open}, ']')`;
  const member =
    `multiIf(${last} = '[' OR (${last} = ',' AND ${inList}), ${mark}, ` +
    `${last} IN ('{', ','), concat(${mark}, ':0'), ${last} = ':', ${mark}, ${inList}, concat(',', ${mark}), ` +
    `${matches(json, text.ENDS_WITH_KEY)}, concat(':', ${mark}), concat(',', ${mark}, ':0'))`;
  return `if(${open} = '' OR startsWith(${open}, '!'), ${json}, concat(${json}, ${member}, ${open}))`;
}

function matches(x: string, pattern: string): string {
  return `match(${x}, ${quoteText(pattern)})`;
}
