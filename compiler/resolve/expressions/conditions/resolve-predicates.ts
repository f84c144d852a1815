/** IS, BETWEEN, IN and LIKE. */
import type { Expression, InExpression, IsExpression, LikeExpression, SourcePosition } from '../../../ast';
import type { Value } from '../../../functions/function';
import type { Expr } from '../../../ir/expression';
import { arrayOf, BOOL, isNested, isTime, shortTypeName, STRING, type Type, elementOf } from '../../../ir/types';
import { comparable } from '../../types/compare';
import { overValues } from '../../../ir/operations/lambda';
import { elementAt } from '../../types/convert-nested';
import { equality, sameness } from '../../types/equality';
import { failure } from '../../failure';
import { FALSE, foldAnd, foldComparison, foldNot, foldOr, nullOf, TRUE } from '../fold-conditions';
import type { ExpressionContext } from '../expression-context';
import { ensureOneColumn, valueType } from '../resolve-subquery';
import { valueOf, conditionOf } from '../values/value-of';
import { callOf } from '../../../ir/operations/call';
import { itemAt } from '../../../items';

export function resolveIs(r: ExpressionContext, expression: IsExpression): Value {
  const { test, negated, position } = expression;
  if (typeof test === 'object') {
    const [a, b] = [r.resolve(expression.operand), r.resolve(test.distinctFrom)];
    if (isNested(a.type) || isNested(b.type)) {
      const same = sameness(a, b, position);
      return valueOf(negated ? same : foldNot(same), BOOL, position);
    }
    const [x, y] = comparable([a, b], position);
    const fn = negated ? 'is_not_distinct' : 'is_distinct';
    return conditionOf(callOf(fn, [x.expr, y.expr], BOOL), position);
  }
  const value = r.resolve(expression.operand);
  if (test === 'NULL') return conditionOf(isNull(r, value, negated), position);
  const operand = r.coerce(value, BOOL, `IS ${test}`).expr;
  const fn = test === 'TRUE' ? 'is_true' : test === 'FALSE' ? 'is_false' : 'is_null';
  const call = foldComparison(callOf(fn, [operand], BOOL));
  return conditionOf(negated ? foldNot(call) : call, position);
}

function isNull(r: ExpressionContext, value: Value, negated: boolean): Expr {
  // An array is never NULL in the logical model: an absent record is an empty array.
  if (value.type.kind === 'SINGLE') return negated ? TRUE : FALSE;
  if (value.type.kind === 'RECORD') {
    const present = r.isPresent(value);
    return negated ? present : foldNot(present);
  }
  const fn = negated ? 'is_not_null' : 'is_null';
  return foldComparison(callOf(fn, [r.materialize(value)], BOOL));
}

/** Negation applies to each pattern: `x NOT LIKE ANY (p, q)` is true if any pattern does not match. */
export function resolveLike(r: ExpressionContext, expression: LikeExpression): Value {
  const { negated, caseInsensitive, quantifier, position } = expression;
  const read = r.resolve(expression.operand);
  if (read.type.kind === 'BYTES') {
    throw failure('type_mismatch', 'LIKE does not work on BYTES', position, {
      hint: 'use STARTS_WITH, ENDS_WITH or STRPOS, or LIKE on SAFE_CAST(... AS STRING)',
    });
  }
  const operand = r.coerce(read, STRING, 'LIKE').expr;
  const tests = expression.patterns.map((each) => {
    const value = r.resolve(each);
    if (value.type.kind === 'STRUCT' || value.type.kind === 'ARRAY') throw severalPatterns(value);
    const pattern = r.coerce(value, STRING, 'LIKE').expr;
    const like = r.guarded(callOf('like', [operand, pattern], BOOL, { caseInsensitive }));
    return negated ? foldNot(like) : like;
  });
  return conditionOf(quantifier === 'ANY' ? foldOr(tests) : foldAnd(tests), position);
}

function severalPatterns({ type, position }: Value): Error {
  return failure('type_mismatch', `LIKE expects STRING, found ${shortTypeName(type)}`, position, {
    hint: "for several patterns write LIKE ANY ('a%', 'b%')",
  });
}

export function resolveBetween(r: ExpressionContext, expression: Extract<Expression, { kind: 'between' }>): Value {
  const [x, low, high] = comparable(
    [r.resolve(expression.operand), r.resolve(expression.low), r.resolve(expression.high)],
    expression.position
  );
  const both = foldComparison(callOf('between', [x.expr, low.expr, high.expr], BOOL));
  return valueOf(expression.negated ? foldNot(both) : both, BOOL, expression.position);
}

export function resolveIn(r: ExpressionContext, expression: InExpression): Value {
  const { choices, negated, position } = expression;
  const operand = r.resolve(expression.operand);
  const found = isIn(r, operand, choices, position);
  return valueOf(negated ? foldNot(found) : found, BOOL, position);
}

function isIn(r: ExpressionContext, operand: Value, choices: InExpression['choices'], position: SourcePosition): Expr {
  switch (choices.kind) {
    case 'list': {
      if (isNested(operand.type)) {
        return foldOr(choices.items.map((item) => equality(operand, r.resolve(item), position)));
      }
      const [x, ...items] = comparable([operand, ...choices.items.map((item) => r.resolve(item))], position);
      return foldComparison(callOf('in_list', [x.expr, ...items.map((item) => item.expr)], BOOL));
    }
    case 'subquery': {
      const query = r.inner(choices.query);
      ensureOneColumn(query, position, 'IN (SELECT ...)');
      const column = itemAt(query.columns, 0);
      if (isCompared(column.type) || isCompared(operand.type)) {
        const type = arrayOf(valueType(query));
        const rows: Expr = { kind: 'subquery', form: 'array', plan: query.plan, type };
        return isAmong(valueOf(rows, type, position), operand, position);
      }
      const other: Value = { expr: nullOf(column.type), type: column.type, text: null, position };
      const [x, y] = comparable([operand, other], position);
      if (y.type.kind !== column.type.kind) query.convert(0, y.type, 'IN');
      valueType(query);
      return { kind: 'in-subquery', operand: x.expr, plan: query.plan, type: BOOL };
    }
    case 'unnest': {
      const { array } = choices;
      // Written items keep the implicit conversion of texts to times.
      const isWritten = array.kind === 'array' && array.type === null && array.items.length > 0;
      if (isWritten && isTime(operand.type)) return isIn(r, operand, { kind: 'list', items: array.items }, position);
      const list = r.listOf(choices.array);
      const element = elementOf(list.type);
      const other: Value = { expr: nullOf(element), type: element, text: null, position };
      if (isCompared(element)) return isAmong(list, operand, position);
      const [x, y] = comparable([operand, other], position);
      return callOf('list_contains', [r.coerce(list, arrayOf(y.type), 'IN UNNEST').expr, x.expr], BOOL);
    }
  }
}

/** Values whose equality is not that of the store. */
function isCompared(type: Type): boolean {
  return isNested(type) || type.kind === 'INTERVAL';
}

/** Whether a nested value is among the elements of a list: NULL if none is equal, but one may be. */
function isAmong(list: Value, operand: Value, position: SourcePosition): Expr {
  const type = elementOf(list.type);
  return overValues([list.expr, operand.expr], (items, value) => {
    const element = elementAt(0, type);
    const equal = equality({ expr: element, type, text: null, position }, { ...operand, expr: value }, position);
    const anyOf = (body: Expr): Expr =>
      callOf('list_any', [items, { kind: 'lambda', parameters: [element], body, type: BOOL }], BOOL);
    return {
      kind: 'case',
      branches: [
        { when: anyOf(callOf('is_true', [equal], BOOL)), then: TRUE },
        { when: anyOf(callOf('is_null', [equal], BOOL)), then: nullOf(BOOL) },
      ],
      otherwise: FALSE,
      type: BOOL,
    };
  });
}
