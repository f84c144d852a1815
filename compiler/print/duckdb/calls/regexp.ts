/**
 * Regular expressions. DuckDB and the dialect both use RE2: partial match, "." without line breaks. Patterns are
 * validated constants.
 */
import type { RegexpOps } from '../../../ir/ops';
import { list, named } from '../../base/functions';
import type { CallPrinters } from '../../dialect';
import { MAX_PARTS, MAX_TEXT_GROWTH_BYTES } from '../../../functions/limits';
import { rewriteOf, tooLong } from '../../text-growth';
import { bindOnce } from '../bind-once';
import { raise } from '../literals';

export const regexp: CallPrinters<RegexpOps> = {
  regexp_contains: named('regexp_matches'),
  // regexp_extract returns '' for an empty match as well as for no match.
  regexp_extract: (operands, { options }) =>
    bindOnce(
      operands,
      (x, pattern) =>
        `(CASE WHEN regexp_matches(${x}, ${pattern}) ` + `THEN regexp_extract(${x}, ${pattern}, ${options.group}) END)`
    ),
  // Empty matches are left out: the stores do not agree on their positions.
  regexp_extract_all: (operands, { options }) =>
    bindOnce(operands, (x, pattern) => {
      const all = `regexp_extract_all(${x}, ${pattern})`;
      const pairs = `list_zip(${all}, regexp_extract_all(${x}, ${pattern}, 1))`;
      const found =
        options.group === 0
          ? `list_filter(${all}, lambda m: m <> '')`
          : `list_transform(list_filter(${pairs}, lambda m: m[1] <> ''), lambda m: coalesce(m[2], ''))`;
      return (
        `(CASE WHEN strlen(${x}) >= ${MAX_PARTS} AND ${matches(x, pattern)} > ${MAX_PARTS} ` +
        `THEN ${raise('too_many_parts')} ELSE ${found} END)`
      );
    }),
  // An empty match can occur between any two characters, and each \1 in the replacement can repeat the text.
  regexp_replace: (operands) => {
    const rewrite = rewriteOf(operands[2].expr);
    if (rewrite === null || (rewrite.plainBytes === 0 && rewrite.references <= 1))
      return `regexp_replace(${list(operands)}, 'g')`;
    const { plainBytes, references } = rewrite;
    return bindOnce(operands, (x, pattern, replacement) => {
      const most = `(strlen(${x}) + 1) * ${plainBytes + Math.max(references - 1, 0)}`;
      const matched = `(strlen(${x}) - strlen(regexp_replace(${x}, ${pattern}, '', 'g')))`;
      const grown = `(${matches(x, pattern)} * ${plainBytes} + ${matched} * ${references - 1})`;
      return (
        `(CASE WHEN ${most} > ${MAX_TEXT_GROWTH_BYTES} AND ${tooLong(`strlen(${x})`, grown)} ` +
        `THEN ${raise('text_too_long')} ELSE regexp_replace(${x}, ${pattern}, ${replacement}, 'g') END)`
      );
    });
  },
};

/** Number of matches, computed from the growth when each match is replaced by one more character. */
function matches(x: string, pattern: string): string {
  const replaced = (by: string): string => `strlen(regexp_replace(${x}, ${pattern}, '${by}', 'g'))`;
  return `(${replaced('#')} - ${replaced('')})`;
}
