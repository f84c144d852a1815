/** Lambdas that the compiler writes. */
import { callOf } from './call';
import { containsSubquery } from '../walk/children';
import type { ElementExpr, Expr, LambdaExpr } from '../expression';
import { arrayOf, INT64, type Type } from '../types';

/** @param name differs from those of the lambdas around it */
export function overElements(name: string, type: Type, bodyOf: (element: ElementExpr) => Expr): LambdaExpr {
  const element: ElementExpr = { kind: 'element', name, of: 'element', type };
  const body = bodyOf(element);
  return { kind: 'lambda', parameters: [element], body, type: body.type };
}

/**
 * An expression whose lambdas read values. Values with subqueries are computed before them, since stores refuse
 * subqueries in lambdas.
 */
export function overValues(values: readonly Expr[], bodyOf: (...values: readonly Expr[]) => Expr): Expr {
  const early = values.filter(containsSubquery);
  if (early.length === 0) return bodyOf(...values);
  const packed = pack(early);
  const results = overElements('b0', packed.type, (element) =>
    bodyOf(...values.map((value) => (early.includes(value) ? packed.read(element, early.indexOf(value)) : value)))
  );
  const all: Expr = { kind: 'array', items: [packed.expr], type: arrayOf(packed.type) };
  return firstItem(callOf('list_map', [all, results], arrayOf(results.type)), results.type);
}

interface Packed {
  readonly expr: Expr;
  readonly type: Type;
  readonly read: (packed: Expr, index: number) => Expr;
}

function pack(values: readonly Expr[]): Packed {
  const [only, ...others] = values;
  if (only !== undefined && others.length === 0) return { expr: only, type: only.type, read: (packed) => packed };
  const fields = values.map((expr, index) => ({ name: `v${index}`, expr, type: expr.type }));
  const type: Type = { kind: 'STRUCT', fields: fields.map(({ name, type: own }) => ({ name, type: own })) };
  return {
    expr: { kind: 'struct', fields: fields.map(({ name, expr }) => ({ name, expr })), type },
    type,
    read: (base, index) => {
      const { name: field, type: own } = fields[index]!;
      return { kind: 'struct-field', base, field, index, type: own };
    },
  };
}

/** NULL for an empty list. */
export function firstItem(list: Expr, type: Type): Expr {
  return callOf('list_index', [list, { kind: 'literal', type: INT64, value: 0n }], type, { base: 0 });
}
