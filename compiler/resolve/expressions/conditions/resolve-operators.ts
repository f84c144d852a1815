/**
 * Resolves unary and binary operators. Chains of one precedence nest to the left and may have thousands of operands, so
 * they are processed in loops.
 */
import type { BinaryExpression, BinaryOperator, Expression, SourcePosition } from '../../../ast';
import { callExpression } from '../../../ast/call';
import { joined, wholeNumber } from '../../../functions/arguments';
import type { Value } from '../../../functions/function';
import {
  BOOL,
  DATE,
  DATETIME,
  FLOAT64,
  INT64,
  INTERVAL,
  isNested,
  isNumeric,
  isTime,
  shortTypeName,
} from '../../../ir/types';
import { parseConstant } from '../../types/coerce';
import { retype } from '../../../functions/time/arguments/time-argument';
import { comparable } from '../../types/compare';
import { equality } from '../../types/equality';
import { failure } from '../../failure';
import { foldAnd, foldNot, foldOr } from '../fold-conditions';
import { resolveCall } from '../calls/resolve-call';
import { intervalArithmetic, isWrittenAsText } from '../resolve-interval';
import type { ExpressionContext } from '../expression-context';
import { constantOf } from '../../../ir/constant';
import { markOperator } from '../../../ir/sites';
import { valueOf, conditionOf } from '../values/value-of';
import { callOf } from '../../../ir/operations/call';

const COMPARISONS: Readonly<Partial<Record<BinaryOperator, 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge'>>> = {
  '=': 'eq',
  '!=': 'ne',
  '<': 'lt',
  '<=': 'le',
  '>': 'gt',
  '>=': 'ge',
};

const ARITHMETIC: Readonly<Partial<Record<BinaryOperator, 'add' | 'sub' | 'mul' | 'mod'>>> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '%': 'mod',
};

const BITWISE: Readonly<
  Partial<Record<BinaryOperator, 'bit_and' | 'bit_or' | 'bit_xor' | 'shift_left' | 'shift_right'>>
> = {
  '&': 'bit_and',
  '|': 'bit_or',
  '^': 'bit_xor',
  '<<': 'shift_left',
  '>>': 'shift_right',
};

/** Its negation is beyond INT64. */
const MIN_INT64 = -9_223_372_036_854_775_808n;

export function resolveUnary(
  r: ExpressionContext,
  operator: '-' | '+' | '~' | 'NOT',
  operand: Expression,
  position: SourcePosition
): Value {
  const value = r.resolve(operand);
  if (operator === 'NOT') return conditionOf(foldNot(r.coerce(value, BOOL, 'NOT').expr), position);
  if (operator === '-' && value.type.kind === 'INTERVAL') {
    return valueOf(
      callOf('interval_mul', [value.expr, wholeNumber(-1n)], INTERVAL, { safe: false }),
      INTERVAL,
      position
    );
  }
  const number = numberOperand(r, value, operator);
  if (operator === '+') return { ...number, position };
  if (operator === '~') {
    const whole = r.coerce(value, INT64, '~');
    return valueOf(callOf('bit_not', [whole.expr], INT64), INT64, position);
  }
  if (number.expr.kind === 'literal' && typeof number.expr.value === 'bigint' && number.expr.value !== MIN_INT64) {
    return valueOf({ ...number.expr, value: -number.expr.value }, number.type, position);
  }
  if (number.expr.kind === 'literal' && typeof number.expr.value === 'number') {
    return valueOf({ ...number.expr, value: -number.expr.value }, number.type, position);
  }
  return valueOf(callOf('neg', [number.expr], number.type), number.type, position);
}

export function resolveBinary(r: ExpressionContext, expression: BinaryExpression): Value {
  switch (expression.operator) {
    case 'AND':
    case 'OR':
      return resolveJunction(r, expression, expression.operator);
    case '||':
      return resolveConcatenation(r, expression);
    default:
      return resolveOperations(r, expression);
  }
}

function resolveJunction(r: ExpressionContext, expression: BinaryExpression, operator: 'AND' | 'OR'): Value {
  const operands = chain(expression).map((operand) => {
    if (isText(operand)) throw bareText(operator, operand.position);
    return r.coerce(r.resolve(operand), BOOL, operator).expr;
  });
  return valueOf(operator === 'AND' ? foldAnd(operands) : foldOr(operands), BOOL, expression.position);
}

/** Whether the query has a text there that is no condition. */
function isText(operand: Expression): boolean {
  return (
    operand.kind === 'literal' && operand.literal.type === 'string' && !/^(?:true|false)$/i.test(operand.literal.value)
  );
}

/** Error: `x = 'a' OR 'b'`. */
function bareText(operator: string, position: SourcePosition): Error {
  return failure('type_mismatch', `${operator} expects BOOL, found STRING`, position, {
    hint: `repeat the comparison, as in x = 'a' ${operator} x = 'b', or write x IN ('a', 'b')`,
  });
}

function resolveConcatenation(r: ExpressionContext, expression: BinaryExpression): Value {
  const operands = chain(expression).map((operand) => r.resolve(operand));
  const array = operands.find((value) => value.type.kind === 'ARRAY');
  const { fn, type, values } = array
    ? {
        fn: 'array_concat' as const,
        type: array.type,
        values: operands.map((value) => r.coerce(value, array.type, '||')),
      }
    : joined(operands, r, () => '||');
  const [first, ...others] = values.map(({ expr }) => expr);
  if (first === undefined) throw new Error('A chain has two operands or more.');
  return r.folded(valueOf(callOf(fn, [first, ...others], type), type, expression.position));
}

/** One operation after the other, from the innermost on the left. */
function resolveOperations(r: ExpressionContext, expression: BinaryExpression): Value {
  const operands: {
    readonly operator: BinaryOperator;
    readonly right: Expression;
    readonly position: SourcePosition;
  }[] = [];
  let left: Expression = expression;
  while (left.kind === 'binary' && left.operator !== 'AND' && left.operator !== 'OR' && left.operator !== '||') {
    operands.push({ operator: left.operator, right: left.right, position: left.position });
    left = left.left;
  }
  // `INTERVAL 1 DAY + date` is `date + INTERVAL 1 DAY`.
  const last = operands.at(-1);
  if (left.kind === 'interval' && last?.operator === '+') {
    operands[operands.length - 1] = { ...last, right: left };
    left = last.right;
  }
  let value = r.resolve(left);
  for (const { operator, right, position } of operands.reverse()) {
    const isAmount = right.kind === 'interval' && !isWrittenAsText(right);
    const shifts = isAmount && (operator === '+' || operator === '-') && isTime(value.type);
    value = shifts
      ? shift(r, operator, value, right, position)
      : operate(r, operator, value, r.resolve(right), position);
    if (r.resolution.marksSites && operands.length > 1) markOperator(value.expr, operator, position);
  }
  return value;
}

/**
 * Resolves `time + INTERVAL 1 HOUR` as TIMESTAMP_ADD(time, INTERVAL 1 HOUR), or its variant for the type of the time.
 */
function shift(
  r: ExpressionContext,
  operator: '+' | '-',
  time: Value,
  interval: Expression,
  position: SourcePosition
): Value {
  const placeholder: Expression = { kind: 'literal', literal: { type: 'null' }, position: time.position };
  // A DATE is read as its midnight.
  const clock = time.type.kind === 'DATE' ? retype(time, DATETIME, r) : time;
  r.known.set(placeholder, clock);
  const name = `${clock.type.kind}_${operator === '+' ? 'ADD' : 'SUB'}`;
  return resolveCall(r, callExpression(name, [placeholder, interval], position));
}

function operate(
  r: ExpressionContext,
  operator: BinaryOperator,
  left: Value,
  right: Value,
  position: SourcePosition
): Value {
  const comparison = COMPARISONS[operator];
  if (comparison !== undefined) {
    if ((comparison === 'eq' || comparison === 'ne') && (isNested(left.type) || isNested(right.type))) {
      const equal = equality(left, right, position);
      return valueOf(comparison === 'eq' ? equal : foldNot(equal), BOOL, position);
    }
    const [a, b] = comparable([left, right], position);
    return conditionOf(callOf(comparison, [a.expr, b.expr], BOOL), position);
  }
  const bitwise = BITWISE[operator];
  if (bitwise !== undefined) {
    const [a, b] = [r.coerce(left, INT64, operator).expr, r.coerce(right, INT64, operator).expr];
    return valueOf(callOf(bitwise, [a, b], INT64), INT64, position);
  }
  const ofIntervals = intervalArithmetic(r, operator, left, right, position);
  if (ofIntervals !== undefined) return ofIntervals;
  if ((isTime(left.type) || isTime(right.type)) && (operator === '+' || operator === '-')) {
    const moved = movedDate(operator, left, right, position);
    if (moved !== undefined) return moved;
    throw failure(
      'type_mismatch',
      `"${operator}" does not work on ${shortTypeName(isTime(left.type) ? left.type : right.type)}`,
      position,
      { hint: secondsHint(operator, right) ?? 'use TIMESTAMP_ADD, TIMESTAMP_SUB or TIMESTAMP_DIFF' }
    );
  }
  if (operator === '+' && ((isString(left) && isString(right)) || isWord(left) || isWord(right))) {
    throw failure('type_mismatch', '"+" expects numbers, found STRING', position, {
      hint: 'write || to join texts; numbers in texts are added as CAST(... AS INT64)',
    });
  }
  const [a, b] = [numberOperand(r, left, operator), numberOperand(r, right, operator)];
  if (operator === '/') {
    const quotient = callOf('divide', [r.coerce(a, FLOAT64, '/').expr, r.coerce(b, FLOAT64, '/').expr], FLOAT64);
    return valueOf(quotient, FLOAT64, position);
  }
  const type = a.type.kind === 'INT64' && b.type.kind === 'INT64' ? INT64 : FLOAT64;
  const arithmetic = ARITHMETIC[operator];
  if (arithmetic === undefined) throw new Error(`"${operator}" is not an operator on numbers.`);
  const result = callOf(arithmetic, [r.coerce(a, type, operator).expr, r.coerce(b, type, operator).expr], type);
  return valueOf(result, type, position);
}

/** For a number beside a time, which other dialects take for seconds or days. */
function secondsHint(operator: BinaryOperator, { type, expr }: Value): string | undefined {
  if (type.kind !== 'INT64' || expr.kind !== 'literal' || typeof expr.value !== 'bigint') return undefined;
  return `write ${operator} INTERVAL ${expr.value} SECOND, or the unit that is meant`;
}

/** A literal that is no number. */
function isWord({ type, text, expr }: Value): boolean {
  const value = constantOf(expr)?.value;
  return (
    type.kind === 'STRING' && text === 'literal' && typeof value === 'string' && !/^\s*[+-]?[\d.]+\s*$/.test(value)
  );
}

/** A text that does not become a number by itself. */
function isString({ type, text }: Value): boolean {
  return type.kind === 'STRING' && text !== 'parameter';
}

/** Resolves `date + 1` and `1 + date` as the day after, `date - 1` as the day before. */
function movedDate(operator: '+' | '-', left: Value, right: Value, position: SourcePosition): Value | undefined {
  const [date, days] = operator === '+' && right.type.kind === 'DATE' ? [right, left] : [left, right];
  if (date.type.kind !== 'DATE' || days.type.kind !== 'INT64') return undefined;
  const fn = operator === '+' ? 'time_add' : 'time_sub';
  return valueOf(callOf(fn, [date.expr, days.expr], DATE, { unit: 'DAY', safe: false }), DATE, position);
}

/** A numeric operand; a text parameter becomes INT64 if it looks like an integer, else FLOAT64. */
function numberOperand(r: ExpressionContext, value: Value, operator: string): Value {
  if (isNumeric(value.type)) return value;
  if (value.type.kind === 'NULL') return r.coerce(value, INT64, operator);
  if (value.text === 'parameter') {
    const text = constantOf(value.expr)?.value;
    const whole = typeof text !== 'string' || parseConstant(text, INT64, 'parameter') !== undefined;
    return r.coerce(value, whole ? INT64 : FLOAT64, operator);
  }
  return r.coerce(value, INT64, `"${operator}"`);
}

/** Operands of a chain of one operator, left to right, without recursion. */
function chain(expression: BinaryExpression): readonly Expression[] {
  const operands: Expression[] = [];
  let current: Expression = expression;
  while (current.kind === 'binary' && current.operator === expression.operator) {
    operands.push(current.right);
    current = current.left;
  }
  operands.push(current);
  return operands.reverse();
}
