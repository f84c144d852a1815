/** Regular expressions: RE2 in ClickHouse as in the dialect, but for "." which there matches line breaks. Patterns are constants and were checked. */
import { MAX_TEXT_BYTES } from '../../../functions/limits';
import { constantText, operands } from '../../bind-once';
import type { CallPrinter } from '../../dialect';
import { bindOnce } from '../bind-once';
import { castTo, failsWhen } from '../literals';

export const regexp: Readonly<Record<string, CallPrinter>> = {
  regexp_contains: ([x, pattern]) => `match(${x}, ${dotted(String(pattern))})`,
  // extract gives '' both for an empty match and for none; of a pattern with a group it gives the group.
  regexp_extract: (args, { args: exprs }) =>
    bindOnce(
      operands(args, exprs),
      (x, pattern) =>
        `(CASE WHEN match(${x}, ${dotted(String(pattern))}) THEN extract(${x}, ${dotted(String(pattern))}) END)`
    ),
  // Matches of nothing are left out; extractAll would end at the first.
  regexp_extract_all: (args, { args: exprs, type, options }) =>
    bindOnce(operands(args, exprs), (x, pattern) => {
      const grouped = `concat('(?-s)(', ifNull(${pattern}, ''), ')')`;
      const found = `arrayFilter(m -> m[1] <> '', extractAllGroupsVertical(ifNull(${x}, ''), ${grouped}))`;
      const all = `arrayMap(m -> m[${1 + Number(options?.['group'] ?? 0)}], ${found})`;
      return castTo(`if(${x} IS NULL OR ${pattern} IS NULL, NULL, tuple(${all}))`, type);
    }),
  // Each place between two characters can match, and each \1 of the replacement can repeat the text.
  regexp_replace: (args, { args: exprs }) => {
    const text = constantText(exprs[2]);
    const replaced = (x?: string, pattern?: string, rewrite?: string): string =>
      `replaceRegexpAll(${x}, ${dotted(String(pattern))}, ${rewrite})`;
    if (typeof text === 'string' && text.length <= 1) return replaced(...args);
    return bindOnce(
      operands(args, exprs),
      (x, pattern, rewrite) =>
        `(CASE WHEN ${failsWhen(`(length(${x}) + 1) * length(${rewrite}) > ${4 * MAX_TEXT_BYTES}`, 'text_too_long')} ` +
        `THEN NULL ELSE ${replaced(x, pattern, rewrite)} END)`
    );
  },
};

function dotted(pattern: string): string {
  return `concat('(?-s)', ${pattern})`;
}
