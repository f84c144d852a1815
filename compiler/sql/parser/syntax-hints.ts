/** Hints about a misspelled keyword, and about brackets. */
import type { Token } from '../lexer/token';
import { RESERVED_WORDS } from '../reserved-words';

/** Keywords that no common name of a column resembles, the most common first: "wher" is WHERE, not WHEN. */
const KEYWORDS: ReadonlySet<string> = new Set(
  `SELECT FROM WHERE GROUP ORDER LIMIT HAVING JOIN AGGREGATE BETWEEN CROSS CURRENT DISTINCT ELSE EXCEPT EXISTS EXTEND
   EXTRACT FOLLOWING FULL INNER INTERSECT INTERVAL LEFT NULLS OFFSET OUTER OVER PARTITION PIVOT PRECEDING QUALIFY RANGE
   RECURSIVE RIGHT ROWS THEN TIMESTAMP UNBOUNDED UNION UNNEST UNPIVOT WHEN WINDOW WITH`.split(/\s+/)
);

/** `did you mean WHERE?`, for the first of the words that is a keyword but for one letter or two that are swapped. */
export function misspelledKeyword(...tokens: readonly Token[]): string | undefined {
  for (const { kind, symbol } of tokens) {
    if (kind !== 'word' || RESERVED_WORDS.has(symbol) || KEYWORDS.has(symbol)) continue;
    // An added S is the plural of a name, such as "orders".
    const meant = [...KEYWORDS].find((keyword) => isOneEditApart(symbol, keyword) && symbol !== `${keyword}S`);
    if (meant !== undefined) return `did you mean ${meant}?`;
  }
  return undefined;
}

/** Whether a letter is changed, added or left out, or two neighbors are swapped. */
function isOneEditApart(one: string, other: string): boolean {
  if (one.length > other.length) return isOneEditApart(other, one);
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const rest = other.slice(start + 1);
  if (one.length < other.length) return one.slice(start) === rest;
  const isSwapped = one[start] === other[start + 1] && one[start + 1] === other[start];
  return one.slice(start + 1) === rest || (isSwapped && one.slice(start + 2) === other.slice(start + 2));
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
]);

/** For a closing bracket that is missing or too many. @param before tokens before the unexpected one */
export function bracketHint(before: readonly Token[], found: Token, expected: string): string | undefined {
  const open: Token[] = [];
  for (const token of before) {
    if (token.kind !== 'operator') continue;
    if (CLOSING.has(token.symbol)) open.push(token);
    else if (/^[)\]]$/.test(token.symbol)) open.pop();
  }
  const last = open.at(-1);
  if (last === undefined) return /^[)\]]$/.test(found.symbol) ? 'no bracket is open here; leave it out' : undefined;
  if (expected !== `"${CLOSING.get(last.symbol)}"`) return undefined;
  const { line, column } = last.position;
  return `it closes the "${last.symbol}" of line ${line}, column ${column}`;
}
