/** Changes JSON texts so that DuckDB reads them as the dialect does, see `base/json-text`. */
import * as text from '../base/json-text';
import { nameOnce } from './bind-once';
import { quoteText } from './literals';

/** Whether DuckDB reads a text as the dialect does. @param x a short text, which is repeated */
export function isPlainJson(x: string): string {
  return `json_valid(${x}) AND ${matches(x, `${text.LENIENT}|${text.ODD_NUMBER}`)} = ''`;
}

/** Whether a text is JSON, maybe with numbers that DuckDB writes otherwise. @param x a short text, which is repeated */
export function isStrictJson(x: string): string {
  return `json_valid(${x}) AND ${matches(x, text.LENIENT)} = ''`;
}

/** Whether a text may begin with JSON, so that repairing it is worth the time. @param x a short text */
export function beginsJson(x: string): string {
  return `${matches(x, text.BEGINS_JSON)} <> '' AND strlen(${x}) <= ${text.MAX_REPAIRED_BYTES}`;
}

/** Whether a text has a number that DuckDB may write otherwise. */
export function hasOddNumber(x: string): string {
  return `${matches(x, text.ODD_NUMBER)} <> ''`;
}

/** Numbers become texts with a mark. */
export function withMarkedNumbers(x: string): string {
  const marked = `regexp_replace(${x}, ${quoteText(text.NUMBERS)}, ${quoteText(text.MARKED_NUMBER)}, 'g')`;
  return `replace(${marked}, ${quoteText(text.INCOMPLETE)}, '')`;
}

/** Text of a value that was read; NULL if it was not complete. */
export function unmarkedText(x: string): string {
  const mark = quoteText(text.MARK);
  return `replace(nullif(${x}, ${mark}), ${mark}, '')`;
}

/** JSON text of a value that was read; NULL if it was not complete. @param x a short text, which is repeated */
export function unmarkedJson(x: string): string {
  const unmarked = `regexp_replace(${x}, ${quoteText(text.UNMARKED_NUMBER)}, '\\1', 'g')`;
  return `(CASE WHEN NOT contains(${x}, ${quoteText(text.INCOMPLETE)}) THEN ${unmarked} END)`;
}

/**
 * JSON with the complete values at the beginning of a text that `beginsJson`, numbers marked; no JSON if there are none.
 * No lambda is inside of another one: DuckDB binds the inner one several times. @param x a short text, which is repeated
 */
export function repaired(x: string): string {
  const tokens = `regexp_extract(${x}, ${quoteText(text.TOKENS)})`;
  const complete = `regexp_replace(${tokens}, ${quoteText(text.CUT_NUMBER)}, '')`;
  const pieces = `regexp_extract_all(${complete}, ${quoteText(text.PIECES)})`;
  const read = nameOnce(`{'p': ${pieces}, 's': ${openBrackets(pieces)}}`, (v) => {
    const rest = `(CASE WHEN starts_with(${v}.s, '!') THEN strlen(${v}.s) - 1 ELSE 0 END)`;
    const kept = `array_to_string(${v}.p[1:len(${v}.p) - ${rest}], '')`;
    const trimmed = `rtrim(${kept}, chr(32) || chr(9) || chr(13) || chr(10))`;
    return `{'k': ${withMarkedNumbers(trimmed)}, 's': ${v}.s}`;
  });
  return nameOnce(read, (v) => closed(`${v}.k`, `${v}.s`));
}

/** Closing brackets that are missing; if none are, a `!`, and another one for each piece that follows. */
function openBrackets(pieces: string): string {
  const step =
    `CASE WHEN strlen(a) > ${text.MAX_REPAIRED_DEPTH} THEN a WHEN starts_with(a, '!') THEN a || '!' ` +
    `WHEN t = '{' THEN '}' || a WHEN t = '[' THEN ']' || a WHEN t NOT IN ('}', ']') THEN a ` +
    `WHEN strlen(a) < 2 THEN '!' ELSE substr(a, 2) END`;
  return `list_reduce(${pieces}, lambda a, t: ${step}, '')`;
}

function closed(json: string, open: string): string {
  const mark = quoteText(text.INCOMPLETE);
  const last = `right(${json}, 1)`;
  const inList = `starts_with(${open}, ']')`;
  const member =
    `CASE WHEN ${last} = '[' OR (${last} = ',' AND ${inList}) THEN ${mark} ` +
    `WHEN ${last} IN ('{', ',') THEN ${mark} || ':0' WHEN ${last} = ':' THEN ${mark} ` +
    `WHEN ${inList} THEN ',' || ${mark} WHEN ${matches(json, text.ENDS_WITH_KEY)} <> '' THEN ':' || ${mark} ` +
    `ELSE ',' || ${mark} || ':0' END`;
  return `(CASE WHEN ${open} = '' OR starts_with(${open}, '!') THEN ${json} ELSE ${json} || ${member} || ${open} END)`;
}

/** The match, or an empty text. `regexp_matches` would compile its pattern three times. */
function matches(x: string, pattern: string): string {
  return `regexp_extract(${x}, ${quoteText(pattern)})`;
}
