/**
 * Prints SQL that uses an operand several times. Names and constants are repeated; larger operands are computed once
 * and named, so that nested calls make the text grow linearly, not exponentially.
 */
import type { Mapped } from '../../ir/operations/ops';
import { isConstant } from '../../ir/operations/call';
import type { Operand } from './dialect';

/** A store's syntax for binding a value to the name `v`. */
export interface BindingForm {
  /** Evaluates `body`, which may read `v`, for one value. */
  bind(value: string, body: string): string;
  /** Packs several values into one. */
  pack(values: readonly string[]): string;
  /** Reads value number `index` (from 0) out of the packed `v`. */
  packed(index: number): string;
}

/** Calls `body` with one short text per operand, which it may repeat. */
export type BindOnce = <T extends readonly (Operand | undefined)[]>(
  operands: T,
  body: (...names: Mapped<T, string>) => string
) => string;

/**
 * Operands up to this many characters are repeated instead of bound, so that join keys stay visible to the optimizer.
 */
const SHORT = 400;

/** Binds operands only if they are long. */
export function repeatShort(
  operands: readonly [Operand, Operand],
  bindOnce: BindOnce,
  body: (a: string, b: string) => string,
  longest = SHORT
): string {
  const [a, b] = operands;
  return a.sql.length + b.sql.length <= longest ? body(a.sql, b.sql) : bindOnce(operands, body);
}

/** Operands up to this many characters together are repeated by `bindLong`: stores compute equal parts once. */
const BRIEF = 160;

export function isBrief({ sql }: Operand): boolean {
  return sql.length <= BRIEF;
}

/** Binds operands only if they are not brief. */
export function bindLong(
  operands: readonly Operand[],
  bindOnce: BindOnce,
  body: (...names: readonly string[]) => string
): string {
  const length = operands.reduce((sum, { sql }) => sum + sql.length, 0);
  return length <= BRIEF ? body(...operands.map(({ sql }) => sql)) : bindOnce(operands, body);
}

export function bindOnceIn(form: BindingForm): BindOnce {
  return (operands, body) => {
    const print = body as (...names: readonly string[]) => string;
    // An operand that is left out is left out at the end.
    const values = operands.filter((operand) => operand !== undefined);
    if (values.every(({ expr }) => isConstant(expr) || expr.kind === 'column'))
      return print(...values.map(({ sql }) => sql));
    const bound = values.filter(({ expr }) => !isConstant(expr));
    const [only, ...others] = bound;
    const single = only !== undefined && others.length === 0;
    const names = values.map((value) => {
      const index = bound.indexOf(value);
      return index === -1 ? value.sql : single ? 'v' : form.packed(index);
    });
    return form.bind(single ? only.sql : form.pack(bound.map(({ sql }) => sql)), print(...names));
  };
}
