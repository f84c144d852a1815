/**
 * Store SQL that needs an operand more than once. A name or a constant is simply repeated; anything larger is computed once and named,
 * so that nesting such calls makes the text longer by addition, not by multiplication.
 */
import type { Expr } from '../ir/expression';

/** A printed operand beside the expression it was printed from. */
export interface Operand {
  readonly sql: string;
  readonly expr: Expr;
}

/** How a store computes something for a value under the name `v`. */
export interface BindingForm {
  /** `body`, which may read `v`, for one value. */
  bind(value: string, body: string): string;
  /** Several values as one. */
  pack(values: readonly string[]): string;
  /** The packed value number `index` (from 0) of `v`. */
  packed(index: number): string;
}

export function operands(sql: readonly string[], exprs: readonly Expr[]): readonly Operand[] {
  return exprs.map((expr, index) => ({ expr, sql: sql[index] as string }));
}

export function isConstant(expr: Expr): boolean {
  return expr.kind === 'literal' || expr.kind === 'bound';
}

/** A text known when the query is compiled; undefined when it is not. */
export function constantText(expr: Expr | undefined): string | null | undefined {
  const value = expr?.kind === 'bound' ? expr.value.value : expr?.kind === 'literal' ? expr.value : undefined;
  return typeof value === 'string' || value === null ? value : undefined;
}

/** A divisor that may be -1, by which the least number cannot be divided. */
export function mayBeMinusOne(expr: Expr | undefined): boolean {
  if (expr?.kind === 'literal') return expr.value === -1n;
  return expr?.kind !== 'bound' || expr.value.value === -1n;
}

/** `body` gets one short text per operand, which it may use as often as it likes. */
export type BindOnce = (values: readonly Operand[], body: (...names: string[]) => string) => string;

/** As short as an operand must be to be repeated, which a join needs to find its keys in. */
const SHORT = 400;

/** `bindOnce` for operands that are long only. */
export function repeatShort(
  values: readonly Operand[],
  bindOnce: BindOnce,
  body: (a: string, b: string) => string
): string {
  const [a, b] = values as [Operand, Operand];
  return a.sql.length + b.sql.length <= SHORT ? body(a.sql, b.sql) : bindOnce(values, (x = '', y = '') => body(x, y));
}

export function bindOnceIn(form: BindingForm): BindOnce {
  return (values, body) => {
    if (values.every(({ expr }) => isConstant(expr) || expr.kind === 'column'))
      return body(...values.map(({ sql }) => sql));
    const bound = values.filter(({ expr }) => !isConstant(expr));
    const single = bound.length === 1;
    const names = values.map((value) => {
      const index = bound.indexOf(value);
      return index === -1 ? value.sql : single ? 'v' : form.packed(index);
    });
    const value = single ? (bound[0] as Operand).sql : form.pack(bound.map(({ sql }) => sql));
    return form.bind(value, body(...names));
  };
}
