/**
 * Regular expressions. ClickHouse and the dialect both use RE2, but "." matches line breaks in ClickHouse. Patterns are
 * validated constants.
 */
import { MAX_PARTS, MAX_TEXT_GROWTH_BYTES } from '../../../../functions/limits';
import type { RegexpOps } from '../../../../ir/operations/ops';
import type { CallPrinters } from '../../../dialect/dialect';
import { rewriteOf, tooLong } from '../../../base/text/text-growth';
import { bindOnce } from '../../values/bind-once';
import { castTo, failsWhen, quoteText } from '../../values/literals';

export const regexp: CallPrinters<RegexpOps> = {
  regexp_contains: ([x, pattern]) => `match(${x.sql}, ${dotted(pattern.sql)})`,
  // extract returns '' for an empty match as well as for no match; for a pattern with a group it returns the group.
  regexp_extract: (operands, { options: { group, emptyIsNull } }) => {
    const extracted = (x: string, pattern: string): string =>
      group > 1
        ? `arrayElement(extractGroups(ifNull(${x}, ''), ${dotted(pattern)}), ${group})`
        : `extract(${x}, ${dotted(pattern)})`;
    if (emptyIsNull) return `nullIf(${extracted(operands[0].sql, operands[1].sql)}, '')`;
    return bindOnce(
      operands,
      (x, pattern) => `(CASE WHEN match(${x}, ${dotted(pattern)}) THEN ${extracted(x, pattern)} END)`
    );
  },
  regexp_extract_all: (operands, { type, options }) =>
    bindOnce(operands, (x, pattern) => {
      const found = `extractAllGroupsVertical(ifNull(${x}, ''), ${wholeGroup(`ifNull(${pattern}, '')`)})`;
      const kept = options.empty ? matchesAtCharacters(x, found) : found;
      const all = `arrayMap(m -> m[${1 + options.group}], ${kept})`;
      const fails = failsWhen(
        `length(${x}) >= ${MAX_PARTS} AND ${matches(x, pattern)} > ${MAX_PARTS}`,
        'too_many_parts'
      );
      return castTo(`if(${x} IS NULL OR ${pattern} IS NULL OR ${fails}, NULL, tuple(${all}))`, type);
    }),
  // An empty match can occur between any two characters, and each \1 in the replacement can repeat the text.
  regexp_replace: (operands, { options }) => {
    const [text, by, replacement] = operands;
    const known = rewriteOf(replacement.expr);
    const replaced = (x: string, pattern: string, rewrite: string): string =>
      options.empty && known !== null
        ? replacedOnce(x, pattern, rewrite)
        : `replaceRegexpAll(${x}, ${dotted(pattern)}, ${rewrite})`;
    if (known === null || (known.plainBytes === 0 && known.references <= 1)) {
      return replaced(text.sql, by.sql, replacement.sql);
    }
    const { plainBytes, references } = known;
    return bindOnce(operands, (x, pattern, rewrite) => {
      const most = `(length(${x}) + 1) * ${plainBytes + Math.max(references - 1, 0)}`;
      const matched = `(length(${x}) - length(replaceRegexpAll(${x}, ${dotted(pattern)}, '')))`;
      const grown = `(${matches(x, pattern)} * ${plainBytes} + ${matched} * ${references - 1})`;
      const fails = `${most} > ${MAX_TEXT_GROWTH_BYTES} AND ${tooLong(`length(${x})`, grown)}`;
      return `(CASE WHEN ${failsWhen(fails, 'text_too_long')} THEN NULL ELSE ${replaced(x, pattern, rewrite)} END)`;
    });
  },
};

/** Number of matches, computed from the growth when each match is replaced by one more character. */
function matches(x: string, pattern: string): string {
  const replaced = (by: string): string => `length(replaceRegexpAll(${x}, ${dotted(pattern)}, '${by}'))`;
  return `(${replaced('#')} - ${replaced('')})`;
}

/** The pattern as group 1, so that its own first group is group 2. */
function wholeGroup(pattern: string): string {
  return `concat('(?-s)(', ${pattern}, ')')`;
}

/**
 * Matches of a pattern that matches everywhere. ClickHouse also lists those at each byte inside of a character, and
 * none in an empty text. Matches follow each other without gaps, so their places are the sums of their lengths.
 */
function matchesAtCharacters(x: string, found: string): string {
  const ends = `arrayCumSum(m -> greatest(length(m[1]), 1), f)`;
  const isInside = `bitAnd(reinterpretAsUInt8(substring(ifNull(${x}, ''), toInt64(e) - greatest(length(m[1]), 1) + 1, 1)), 192) = 128`;
  const kept = `arrayMap(f -> arrayFilter((m, e) -> NOT (${isInside}), f, ${ends}), [${found}])[1]`;
  return `if(${x} = '', [['', '']], ${kept})`;
}

/** Marks where a match begins, where its replacement begins, and where that ends. NUL never occurs in texts. */
const [MATCH, BY, END] = ['\0<', '\0=', '\0>'] as const;

/**
 * Replaces matches of a pattern that may match no characters. ClickHouse replaces such a match also right after another
 * match, and inside of characters: matches are replaced with marks, and those in wrong places are removed.
 */
function replacedOnce(x: string, pattern: string, rewrite: string): string {
  const mark = (match: string, by: string): string =>
    `concat(${quoteText(`${MATCH}${match}${BY}`)}, ${by}, ${quoteText(END)})`;
  const marked = `replaceRegexpAll(${x}, ${dotted(pattern)}, ${mark('\\0', rewrite)})`;
  const withoutGroups = `replaceRegexpAll(${rewrite}, ${quoteText('\\\\(?:[0-9]|(\\\\))')}, ${quoteText('\\1')})`;
  const empty = mark('', withoutGroups);
  const isInside = 'bitAnd(reinterpretAsUInt8(part), 192) = 128';
  const parts = `splitByString(${empty}, r)`;
  const joined = `arrayMap((part, i) -> if(i = 1 OR ${isInside}, part, concat(${empty}, part)), ${parts}, arrayEnumerate(${parts}))`;
  const isAscii = `length(${x}) = lengthUTF8(${x})`;
  const atCharacters = `arrayMap(r -> if(${isAscii}, r, arrayStringConcat(${joined})), [ifNull(${marked}, '')])[1]`;
  const [filled, blank] = ['\\x00<[^\\x00]+\\x00=[^\\x00]*\\x00>', '\\x00<\\x00=[^\\x00]*\\x00>'];
  const single = `replaceRegexpAll(${atCharacters}, ${quoteText(`(${filled})${blank}`)}, ${quoteText('\\1')})`;
  return `if(${x} IS NULL, NULL, replaceRegexpAll(${single}, ${quoteText('\\x00<[^\\x00]*\\x00=|\\x00>')}, ''))`;
}

function dotted(pattern: string): string {
  return `concat('(?-s)', ${pattern})`;
}
