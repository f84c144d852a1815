/** Converts the elements of arrays and the fields of structs, from the inside out. */
import { callOf } from '../../ir/operations/call';
import type { ElementExpr, Expr } from '../../ir/expression';
import { BOOL, sameType, type Type, structFields } from '../../ir/types';
import { itemAt } from '../../items';

/** An element of a list for a lambda that the resolver writes. @param level of nesting in a type, from 1 */
export function elementAt(level: number, type: Type): ElementExpr {
  return { kind: 'element', name: `c${level}`, of: 'element', type };
}

/**
 * Converts an expression to a nested type of the same structure. Structs convert by position and take the names of the
 * target type; a struct or array that is NULL remains NULL.
 * @param convert converts a value without inner structure
 */
export function convertNested(expr: Expr, to: Type, convert: (expr: Expr, to: Type) => Expr, level = 1): Expr {
  const { type: from } = expr;
  if (sameType(from, to)) return expr;
  if (expr.kind === 'literal' && expr.value === null) return { kind: 'literal', type: to, value: null };
  const inside = (part: Expr, type: Type, depth = level): Expr => convertNested(part, type, convert, depth);
  if (to.kind === 'ARRAY' && from.kind === 'ARRAY') {
    if (expr.kind === 'array') return { ...expr, items: expr.items.map((item) => inside(item, to.element)), type: to };
    const element = elementAt(level, from.element);
    const body = inside(element, to.element, level + 1);
    return callOf('list_map', [expr, { kind: 'lambda', parameters: [element], body, type: body.type }], to);
  }
  if (to.kind === 'STRUCT' && from.kind === 'STRUCT') {
    const fields = to.fields.map(({ name, type }, index) => ({ name, expr: inside(fieldAt(expr, index), type) }));
    const struct: Expr = { kind: 'struct', fields, type: to };
    return expr.kind === 'struct' ? struct : unlessNull(expr, struct);
  }
  return convert(expr, to);
}

/** A field of a struct, without building the struct if possible. */
export function fieldAt(base: Expr, index: number): Expr {
  if (base.kind === 'struct' && base.isKey !== true) return itemAt(base.fields, index).expr;
  const { name, type } = itemAt(structFields(base.type), index);
  return { kind: 'struct-field', base, field: name, index, type };
}

function unlessNull(tested: Expr, then: Expr): Expr {
  const when = callOf('is_not_null', [tested], BOOL);
  return { kind: 'case', branches: [{ when, then }], otherwise: null, type: then.type };
}
