/** Regular expressions: RE2 in DuckDB as in the dialect, partial match, "." without line breaks. Patterns are constants and were checked. */
import type { CallPrinter } from '../../dialect';
import { MAX_TEXT_BYTES } from '../../../functions/limits';
import { operands } from '../../bind-once';
import { bindOnce } from '../bind-once';
import { raise } from '../literals';

export const regexp: Readonly<Record<string, CallPrinter>> = {
  regexp_contains: ([x, pattern]) => `regexp_matches(${x}, ${pattern})`,
  // regexp_extract gives '' both for an empty match and for none.
  regexp_extract: (args, { args: exprs, options }) =>
    bindOnce(
      operands(args, exprs),
      (x, pattern) =>
        `(CASE WHEN regexp_matches(${x}, ${pattern}) ` +
        `THEN regexp_extract(${x}, ${pattern}, ${Number(options?.['group'] ?? 0)}) END)`
    ),
  // Matches of nothing are left out: the stores do not agree where they are.
  regexp_extract_all: (args, { args: exprs, options }) =>
    bindOnce(operands(args, exprs), (x, pattern) => {
      const all = `regexp_extract_all(${x}, ${pattern})`;
      if (Number(options?.['group'] ?? 0) === 0) return `list_filter(${all}, lambda m: m <> '')`;
      const pairs = `list_zip(${all}, regexp_extract_all(${x}, ${pattern}, 1))`;
      return `list_transform(list_filter(${pairs}, lambda m: m[1] <> ''), lambda m: coalesce(m[2], ''))`;
    }),
  // Each place between two characters can match, and each \1 of the replacement can repeat the text.
  regexp_replace: (args, { args: exprs }) => {
    const [, , replacement] = exprs;
    const text = replacement?.kind === 'bound' ? replacement.value.value : null;
    if (typeof text === 'string' && text.length <= 1) return `regexp_replace(${args.join(', ')}, 'g')`;
    return bindOnce(
      operands(args, exprs),
      (x, pattern, rewrite) =>
        `(CASE WHEN (strlen(${x}) + 1) * strlen(${rewrite}) > ${4 * MAX_TEXT_BYTES} ` +
        `THEN ${raise('text_too_long')} ELSE regexp_replace(${x}, ${pattern}, ${rewrite}, 'g') END)`
    );
  },
};
