/** Lambdas that the compiler writes. */
import { callOf, isCall } from './call';
import { containsSubquery, withChildren } from '../walk/children';
import type { ElementExpr, Expr, LambdaExpr } from '../expression';
import { arrayOf, INT64, type Type } from '../types';

/** @param name differs from those of the lambdas around it */
export function overElements(name: string, type: Type, bodyOf: (element: ElementExpr) => Expr): LambdaExpr {
  const element: ElementExpr = { kind: 'element', name, of: 'element', type };
  const body = bodyOf(element);
  return { kind: 'lambda', parameters: [element], body, type: body.type };
}

/**
 * An expression that reads values several times: a lambda over a list of one, in which they have names.
 * @param taken names of the lambdas in the body that read the values
 */
export function computedOnce(
  values: readonly Expr[],
  taken: ReadonlySet<string>,
  bodyOf: (...names: readonly Expr[]) => Expr
): Expr {
  let number = 0;
  while (taken.has(`o${number}`)) number += 1;
  return namedIn(`o${number}`, values, bodyOf);
}

/**
 * An expression whose lambdas read values. Values with subqueries are computed before them, since stores refuse
 * subqueries in lambdas.
 */
export function overValues(values: readonly Expr[], bodyOf: (...values: readonly Expr[]) => Expr): Expr {
  const early = values.filter(containsSubquery);
  if (early.length === 0) return bodyOf(...values);
  return namedIn('b0', early, (...names) => bodyOf(...values.map((value) => names[early.indexOf(value)] ?? value)));
}

/** @param name differs from those of the lambdas around it that the values or the body read */
function namedIn(name: string, values: readonly Expr[], bodyOf: (...names: readonly Expr[]) => Expr): Expr {
  const packed = pack(values);
  const results = overElements(name, packed.type, (element) =>
    bodyOf(...values.map((_, index) => packed.read(element, index)))
  );
  return computedFrom(packed.expr, results, results.body);
}

interface Packed {
  readonly expr: Expr;
  readonly type: Type;
  readonly read: (packed: Expr, index: number) => Expr;
}

/** The form of `computedOnce`. */
export interface Once {
  readonly value: Expr;
  readonly lambda: LambdaExpr;
}

/** The value that an expression computes once, and what is made of it; undefined: another expression. */
export function onceOf(expr: Expr): Once | undefined {
  if (!isCall(expr, 'list_index') || expr.options.base !== 0) return undefined;
  const [map, index] = expr.args;
  if (index?.kind !== 'literal' || index.value !== 0n || map === undefined || !isCall(map, 'list_map'))
    return undefined;
  const [list, lambda] = map.args;
  const value = list?.kind === 'array' && list.items.length === 1 ? list.items[0] : undefined;
  return value !== undefined && lambda?.kind === 'lambda' && lambda.parameters.length === 1
    ? { value, lambda }
    : undefined;
}

/** The expression with the value itself in each of its places. */
export function writtenOut({ value, lambda }: Once): Expr {
  const [element] = lambda.parameters;
  const replace = (part: Expr): Expr => {
    if (part.kind === 'element') return part.name === element?.name ? value : part;
    if (part.kind === 'lambda' && part.parameters.some(({ name }) => name === element?.name)) return part;
    if (part.kind !== 'struct-field' || value.kind !== 'struct') return withChildren(part, replace);
    const base = replace(part.base);
    return (base === value && value.fields[part.index]?.expr) || { ...part, base };
  };
  return replace(lambda.body);
}

/** Another result of a value that is computed once. */
export function computedFrom(value: Expr, lambda: LambdaExpr, body: Expr): Expr {
  const all: Expr = { kind: 'array', items: [value], type: arrayOf(value.type) };
  const results: LambdaExpr = { ...lambda, body, type: body.type };
  return firstItem(callOf('list_map', [all, results], arrayOf(body.type)), body.type);
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
  return itemOf(list, 0, type);
}

/** NULL where the list has no such item, which is no failure. @param offset from 0 */
export function itemOf(list: Expr, offset: number, type: Type): Expr {
  const at: Expr = { kind: 'literal', type: INT64, value: BigInt(offset) };
  return { ...callOf('list_index', [list, at], type, { base: 0 }), safe: true };
}
