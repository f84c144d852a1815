/**
 * Equality of values, of arrays and structs by their parts: false if any part differs, else NULL if any part is NULL.
 * Stores compare nested values in another way, with NULL equal to NULL.
 */
import type { SourcePosition } from '../../ast';
import type { Value } from '../../functions/function';
import { callOf } from '../../ir/operations/call';
import type { Expr } from '../../ir/expression';
import { arrayOf, BOOL, INT64, type Type } from '../../ir/types';
import { FALSE, foldAnd, foldCase, foldComparison, nullOf, TRUE } from '../expressions/fold-conditions';
import { coerce, commonType, fieldsOf } from './coerce';
import { comparable } from './compare';
import { elementAt } from './convert-nested';
import { itemAt } from '../../items';

/** `a = b`. @throws type_mismatch */
export function equality(a: Value, b: Value, position: SourcePosition): Expr {
  return compared(a, b, EQUAL, position, 1);
}

/** `a IS NOT DISTINCT FROM b`. @throws type_mismatch */
export function sameness(a: Value, b: Value, position: SourcePosition): Expr {
  return compared(a, b, SAME, position, 1);
}

/** Whether two values are equal, or the same with NULL as a value of its own. */
interface Comparison {
  readonly fn: 'eq' | 'is_not_distinct';
  /** For arrays and structs of which one or both are NULL. */
  readonly ofNull: (a: Expr, b: Expr) => Expr;
}

const EQUAL: Comparison = { fn: 'eq', ofNull: () => nullOf(BOOL) };
const SAME: Comparison = { fn: 'is_not_distinct', ofNull: (a, b) => foldAnd([isNull(a), isNull(b)]) };

function compared(a: Value, b: Value, by: Comparison, position: SourcePosition, level: number): Expr {
  if (a.type.kind === 'STRUCT' && b.type.kind === 'STRUCT') return structs(a, b, by, position, level);
  if (a.type.kind === 'ARRAY' && b.type.kind === 'ARRAY') return arrays(a, b, by, position, level);
  const nested = [a, b].find(({ type }) => type.kind === 'ARRAY' || type.kind === 'STRUCT');
  const isWithNull = a.type.kind === 'NULL' || b.type.kind === 'NULL';
  if (nested !== undefined && isWithNull) return by.ofNull(a.expr, b.expr);
  const [x, y] = comparable([a, b], position);
  return foldComparison(callOf(by.fn, [x.expr, y.expr], BOOL));
}

function structs(a: Value, b: Value, by: Comparison, position: SourcePosition, level: number): Expr {
  const [left, right] = [fieldsOf(a), fieldsOf(b)];
  // Refuses structs of different lengths.
  if (left.length !== right.length) comparable([a, b], position);
  const fields = left.map((field, index) => compared(field, itemAt(right, index), by, position, level));
  const all = foldAnd(fields);
  const mayBeNull = [a, b].filter(({ expr }) => expr.kind !== 'struct');
  if (by === EQUAL || mayBeNull.length === 0) return all;
  return whereNull(a.expr, b.expr, by, all);
}

function arrays(a: Value, b: Value, by: Comparison, position: SourcePosition, level: number): Expr {
  const type = commonType([a, b]);
  if (type?.kind !== 'ARRAY') {
    comparable([a, b], position);
    throw new Error('Arrays without a common type were compared.');
  }
  const [x, y] = [coerce(a, type, 'comparison').expr, coerce(b, type, 'comparison').expr];
  const pair: Type = {
    kind: 'STRUCT',
    fields: [
      { name: 'a', type: type.element },
      { name: 'b', type: type.element },
    ],
  };
  const pairs = callOf('list_zip', [x, y], arrayOf(pair), { mode: 'PAD' });
  const element = elementAt(level, pair);
  const fields = fieldsOf({ expr: element, type: pair, text: null, position });
  const [left, right] = [itemAt(fields, 0), itemAt(fields, 1)];
  const body = compared(left, right, by, position, level + 1);
  const anyPair = (condition: Expr): Expr =>
    callOf('list_any', [pairs, { kind: 'lambda', parameters: [element], body: condition, type: BOOL }], BOOL);
  const lengths = callOf('ne', [callOf('list_length', [x], INT64), callOf('list_length', [y], INT64)], BOOL);
  const falseWhen = (when: Expr) => ({ when, then: FALSE });
  const branches = [falseWhen(lengths), falseWhen(anyPair(callOf('is_false', [body], BOOL)))];
  const unknown = { when: anyPair(callOf('is_null', [body], BOOL)), then: nullOf(BOOL) };
  return whereNull(
    x,
    y,
    by,
    foldCase({ kind: 'case', branches: by === EQUAL ? [...branches, unknown] : branches, otherwise: TRUE, type: BOOL })
  );
}

function whereNull(a: Expr, b: Expr, by: Comparison, otherwise: Expr): Expr {
  const either = [a, b].map(isNull).filter((test) => !(test.kind === 'literal' && test.value === false));
  const [first, ...others] = either;
  if (first === undefined) return otherwise;
  const when = others.length === 0 ? first : callOf('or', [first, ...others], BOOL);
  return foldCase({ kind: 'case', branches: [{ when, then: by.ofNull(a, b) }], otherwise, type: BOOL });
}

/** A value that the query writes is not NULL. */
function isNull(expr: Expr): Expr {
  if (expr.kind === 'struct' || expr.kind === 'array') return FALSE;
  return foldComparison(callOf('is_null', [expr], BOOL));
}
