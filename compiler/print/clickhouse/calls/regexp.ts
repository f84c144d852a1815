/**
 * Regular expressions. ClickHouse and the dialect both use RE2, but "." matches line breaks in ClickHouse. Patterns are
 * validated constants.
 */
import { MAX_PARTS, MAX_TEXT_GROWTH_BYTES } from '../../../functions/limits';
import type { RegexpOps } from '../../../ir/ops';
import type { CallPrinters } from '../../dialect';
import { rewriteOf, tooLong } from '../../text-growth';
import { bindOnce } from '../bind-once';
import { castTo, failsWhen } from '../literals';

export const regexp: CallPrinters<RegexpOps> = {
  regexp_contains: ([x, pattern]) => `match(${x.sql}, ${dotted(pattern.sql)})`,
  // extract returns '' for an empty match as well as for no match; for a pattern with a group it returns the group.
  regexp_extract: (operands) =>
    bindOnce(
      operands,
      (x, pattern) => `(CASE WHEN match(${x}, ${dotted(pattern)}) THEN extract(${x}, ${dotted(pattern)}) END)`
    ),
  // Empty matches are left out; extractAll stops at the first one.
  regexp_extract_all: (operands, { type, options }) =>
    bindOnce(operands, (x, pattern) => {
      const grouped = `concat('(?-s)(', ifNull(${pattern}, ''), ')')`;
      const found = `arrayFilter(m -> m[1] <> '', extractAllGroupsVertical(ifNull(${x}, ''), ${grouped}))`;
      const all = `arrayMap(m -> m[${1 + options.group}], ${found})`;
      const fails = failsWhen(
        `length(${x}) >= ${MAX_PARTS} AND ${matches(x, pattern)} > ${MAX_PARTS}`,
        'too_many_parts'
      );
      return castTo(`if(${x} IS NULL OR ${pattern} IS NULL OR ${fails}, NULL, tuple(${all}))`, type);
    }),
  // An empty match can occur between any two characters, and each \1 in the replacement can repeat the text.
  regexp_replace: (operands) => {
    const [text, by, replacement] = operands;
    const known = rewriteOf(replacement.expr);
    const replaced = (x: string, pattern: string, rewrite: string): string =>
      `replaceRegexpAll(${x}, ${dotted(pattern)}, ${rewrite})`;
    if (known === null || (known.plainBytes === 0 && known.references <= 1)) {
      return replaced(text.sql, by.sql, replacement.sql);
    }
    const { plainBytes, references } = known;
    return bindOnce(operands, (x, pattern, rewrite) => {
      const most = `(length(${x}) + 1) * ${plainBytes + Math.max(references - 1, 0)}`;
      const matched = `(length(${x}) - length(${replaced(x, pattern, "''")}))`;
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

function dotted(pattern: string): string {
  return `concat('(?-s)', ${pattern})`;
}
