/** The outermost statement of a template. */
import type { TemplateToken } from './template-token';

/** Removes comments and what is in parentheses; the parentheses stay. */
export function outermost(tokens: readonly TemplateToken[]): readonly TemplateToken[] {
  let depth = 0;
  return tokens.filter(({ kind, symbol }) => {
    if (symbol === ')') depth = Math.max(0, depth - 1);
    const isOutermost = depth === 0 && kind !== 'comment';
    if (symbol === '(') depth += 1;
    return isOutermost;
  });
}

/** Whether the token at an index joins the rows of two SELECTs: not the EXCEPT of `* EXCEPT (a)`. */
export function isSetOperator(tokens: readonly TemplateToken[], at: number): boolean {
  const symbol = tokens[at]?.symbol;
  const next = tokens[at + 1]?.symbol;
  return (
    symbol === 'UNION' || symbol === 'INTERSECT' || (symbol === 'EXCEPT' && (next === 'ALL' || next === 'DISTINCT'))
  );
}
