/**
 * Regular expressions. DuckDB and the dialect both use RE2: partial match, "." without line breaks. Patterns are
 * validated constants.
 */
import type { RegexpOps } from '../../../../ir/operations/ops';
import { constantText } from '../../../base/constants';
import { list } from '../../../base/functions';
import type { CallPrinters, Operand } from '../../../dialect/dialect';
import { MAX_PARTS, MAX_TEXT_GROWTH_BYTES } from '../../../../functions/limits';
import { rewriteOf, tooLong } from '../../../base/text/text-growth';
import { bindOnce } from '../../values/bind-once';
import { raise } from '../../values/literals';
import { forLambda } from '../../values/for-lambda';

export const regexp: CallPrinters<RegexpOps> = {
  regexp_contains: ([x, pattern]) => `regexp_matches(${x.sql}, ${inLinearTime(pattern)})`,
  // regexp_extract returns '' for an empty match as well as for no match.
  regexp_extract: (operands, { options }) => {
    const { group, emptyIsNull } = options;
    // nullif is a macro that has its operand twice.
    if (emptyIsNull)
      return bindOnce(operands, (x, pattern) => `nullif(regexp_extract(${x}, ${pattern}, ${group}), '')`);
    return bindOnce(
      operands,
      (x, pattern) =>
        `(CASE WHEN regexp_matches(${x}, ${inLinearTime({ ...operands[1], sql: pattern })}) THEN regexp_extract(${x}, ${pattern}, ${group}) END)`
    );
  },
  regexp_extract_all: (operands, { options }) =>
    bindOnce(operands, (x, pattern) => {
      const all = `regexp_extract_all(${x}, ${pattern}, ${options.group})`;
      // The match of no characters at the end of a text is not part of the list.
      const found = options.empty ? `(CASE WHEN ${x} = '' THEN ${all} ELSE (${all})[1:-2] END)` : all;
      // DuckDB returns an empty list for NULL, and NULL for a group that took no part.
      const texts = options.group === 0 ? found : `list_transform(${forLambda(found)}, lambda m: coalesce(m, ''))`;
      return (
        `(CASE WHEN strlen(${x}) >= ${MAX_PARTS} AND ${matches(x, pattern)} > ${MAX_PARTS} ` +
        `THEN ${raise('too_many_parts')} WHEN ${x} IS NOT NULL AND ${pattern} IS NOT NULL THEN ${texts} END)`
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

/**
 * The pattern, with an empty group where its `.` may be any character: DuckDB writes some patterns without a group as
 * LIKE, which goes back at each `.*`.
 */
function inLinearTime({ expr, sql }: Operand): string {
  const known = constantText(expr);
  return typeof known === 'string' && /\(\?\w*s/.test(known) ? `('()' || ${sql})` : sql;
}

/** Number of matches, computed from the growth when each match is replaced by one more character. */
function matches(x: string, pattern: string): string {
  const replaced = (by: string): string => `strlen(regexp_replace(${x}, ${pattern}, '${by}', 'g'))`;
  return `(${replaced('#')} - ${replaced('')})`;
}
