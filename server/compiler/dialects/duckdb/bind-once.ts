/**
 * Store SQL that needs an operand more than once. A name or a constant is simply repeated; anything larger is computed once and named,
 * so that nesting such calls makes the text longer by addition, not by multiplication.
 */
import type { Expr } from '../../ir/expression';

/** A printed operand beside the expression it was printed from. */
export interface Operand {
  readonly sql: string;
  readonly expr: Expr;
}

export function operands(sql: readonly string[], exprs: readonly Expr[]): readonly Operand[] {
  return exprs.map((expr, index) => ({ expr, sql: sql[index] as string }));
}

/** `body` gets one short text per operand, which it may use as often as it likes. */
export function bindOnce(values: readonly Operand[], body: (...names: string[]) => string): string {
  if (values.every(({ expr }) => isConstant(expr) || expr.kind === 'column'))
    return body(...values.map(({ sql }) => sql));
  const bound = values.filter(({ expr }) => !isConstant(expr));
  const single = bound.length === 1;
  const names = values.map((value) => {
    const index = bound.indexOf(value);
    return index === -1 ? value.sql : single ? 'v' : `v.a${index}`;
  });
  const packed = single
    ? (bound[0] as Operand).sql
    : `struct_pack(${bound.map(({ sql }, index) => `a${index} := ${sql}`).join(', ')})`;
  return `list_extract(list_transform([${packed}], lambda v: ${body(...names)}), 1)`;
}

/** As `bindOnce`, for one operand that was made by the dialect itself. */
export function nameOnce(sql: string, body: (name: string) => string): string {
  return `list_extract(list_transform([${sql}], lambda v: ${body('v')}), 1)`;
}

export function isConstant(expr: Expr): boolean {
  return expr.kind === 'literal' || expr.kind === 'bound';
}
