/**
 * Prints SQL that uses an operand several times. Names and constants are repeated; larger operands are computed once
 * and named, so that nested calls make the text grow linearly, not exponentially.
 */
import type { Expr } from '../ir/expression';

/** A printed operand with its expression. */
export interface Operand {
  readonly sql: string;
  readonly expr: Expr;
}

/** A store's syntax for binding a value to the name `v`. */
export interface BindingForm {
  /** Evaluates `body`, which may read `v`, for one value. */
  bind(value: string, body: string): string;
  /** Packs several values into one. */
  pack(values: readonly string[]): string;
  /** Reads value number `index` (from 0) out of the packed `v`. */
  packed(index: number): string;
}

export function operands(sql: readonly string[], exprs: readonly Expr[]): readonly Operand[] {
  return exprs.map((expr, index) => ({ expr, sql: sql[index] as string }));
}

export function isConstant(expr: Expr): boolean {
  return expr.kind === 'literal' || expr.kind === 'bound';
}

/** Text known at compile time; undefined if it is not. */
export function constantText(expr: Expr | undefined): string | null | undefined {
  const value = expr?.kind === 'bound' ? expr.value.value : expr?.kind === 'literal' ? expr.value : undefined;
  return typeof value === 'string' || value === null ? value : undefined;
}

/** Whether a divisor may be -1: dividing the smallest integer by -1 overflows. */
export function mayBeMinusOne(expr: Expr | undefined): boolean {
  if (expr?.kind === 'literal') return expr.value === -1n;
  return expr?.kind !== 'bound' || expr.value.value === -1n;
}

/** Calls `body` with one short text per operand, which it may repeat. */
export type BindOnce = (values: readonly Operand[], body: (...names: string[]) => string) => string;

/**
 * Operands up to this many characters are repeated instead of bound, so that join keys stay visible to the optimizer.
 */
const SHORT = 400;

/** Binds operands only if they are long. */
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
