/**
 * LIKE and ILIKE. DuckDB searches the pieces of a known pattern one after another. With `_`, an escape, letters of any
 * case or a pattern of the row it goes back at each `%` instead, which takes time by the power of their number; such
 * patterns become regular expressions, which take linear time.
 */
import { isAscii } from '../../../../functions/text/ascii';
import { constantText } from '../../../base/constants';
import type { CallPrinter } from '../../../dialect/dialect';
import { bindOnce } from '../../values/bind-once';
import { quoteText, raise } from '../../values/literals';
import { lowerEach } from './letter-case';

export function like(...[operands, { options }]: Parameters<CallPrinter<'like'>>): string {
  const { caseInsensitive } = options;
  const [text, pattern] = operands;
  const known = constantText(pattern.expr);
  const isKnown = known !== undefined && (known === null || !CUT_ESCAPE.test(known));
  if (!isKnown) {
    return bindOnce(operands, (x, p) => {
      const found = caseInsensitive ? inOneCase(lowerEach(x), lowerEach(p)) : inOneCase(x, p);
      return `(CASE WHEN ${x} IS NOT NULL AND ${matches(p, CUT_ESCAPE)} THEN ${raise('bad_regex')} ${found} END)`;
    });
  }
  if (known !== null && GOES_BACK.test(known) && (caseInsensitive || /[_\\]/.test(known))) {
    return bindOnce(operands, (x, p) => {
      const [one, other] = caseInsensitive ? [lowerEach(x), lowerEach(p)] : [x, p];
      return `(CASE WHEN ${isTooLong(other)} THEN ${raise('slow_pattern')} ELSE ${linear(one, other)} END)`;
    });
  }
  // ESCAPE makes LIKE five times slower.
  const escape = known?.includes('\\') === true ? ESCAPE : '';
  if (!caseInsensitive) return `(${text.sql} LIKE ${pattern.sql}${escape})`;
  if (known === null || isAscii(known)) return `(${text.sql} ILIKE ${pattern.sql}${escape})`;
  return bindOnce(operands, (x, p) => `(${lowerEach(x)} LIKE ${lowerEach(p)}${escape})`);
}

const ESCAPE = " ESCAPE '\\'";

/** Pattern that ends with an unpaired backslash. */
const CUT_ESCAPE = /(?:^|[^\\])(?:\\\\)*\\$/;

/** Pattern with two `%` before its last other character, or with one and many characters behind it. */
const GOES_BACK = /%[^%]+%+[^%]|%[^%]{64}/;

/** Bytes of a pattern, as of a regular expression. */
const MAX_BYTES = 1024;

/** The last branches of a CASE, for a pattern of the row. */
function inOneCase(x: string, p: string): string {
  return `WHEN NOT ${matches(p, GOES_BACK)} THEN ${x} LIKE ${p}${ESCAPE} WHEN ${isTooLong(p)} THEN ${raise('slow_pattern')} ELSE ${linear(x, p)}`;
}

function matches(p: string, pattern: RegExp): string {
  return `regexp_matches(${p}, ${quoteText(pattern.source)})`;
}

/** Longer than `MAX_BYTES`, or with a character that `linear` puts in place of another one. */
function isTooLong(p: string): string {
  return `strlen(${p}) > ${MAX_BYTES} OR regexp_matches(${p}, ${quoteText('[\\x01-\\x03]')})`;
}

/** @param p a short text, which is repeated */
function linear(x: string, p: string): string {
  const replaced = (text: string, pairs: readonly (readonly [string, string])[]): string =>
    pairs.reduce((sql, [from, to]) => `replace(${sql}, ${quoteText(from)}, ${quoteText(to)})`, text);
  const marked = `regexp_replace(${p}, ${quoteText('(?s)\\\\(.)')}, ${quoteText('\x01\\1')}, 'g')`;
  const plain = replaced(marked, [
    ['\x01%', '\x02'],
    ['\x01_', '\x03'],
    ['\x01', ''],
  ]);
  const special = '([^%_A-Za-z0-9\\x02\\x03\\x{80}-\\x{10ffff}])';
  const quoted = `regexp_replace(trim(${plain}, '%'), ${quoteText(special)}, ${quoteText('\\\\\\1')}, 'g')`;
  const inside = replaced(quoted, [
    ['%', '.*'],
    ['_', '.'],
    ['\x02', '%'],
    ['\x03', '_'],
  ]);
  const start = `CASE WHEN starts_with(${plain}, '%') THEN '' ELSE '^' END`;
  const end = `CASE WHEN ends_with(${plain}, '%') THEN '' ELSE '$' END`;
  // In a group: DuckDB writes a pattern without one as LIKE.
  return `regexp_matches(${x}, '(' || ${start} || ${inside} || ${end} || ')', 's')`;
}
