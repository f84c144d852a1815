/** INTERVAL literals, and operators whose operands or result are intervals. */
import type { BinaryOperator, IntervalExpression, SourcePosition } from '../../ast';
import type { Value } from '../../functions/function';
import { constantInterval, differenceType, movedBy } from '../../functions/time/interval-values';
import { wholeAmount } from '../../functions/time/arguments/interval-argument';
import { retype } from '../../functions/time/arguments/time-argument';
import { namedUnit } from '../../functions/time/arguments/unit-argument';
import { constantOf } from '../../ir/constant';
import { callOf } from '../../ir/operations/call';
import { children, isLeaf } from '../../ir/walk/children';
import type { Expr } from '../../ir/expression';
import { DATETIME, INT64, INTERVAL, isTime, shortTypeName, type Type } from '../../ir/types';
import { INTERVAL_UNITS, intervalOfUnit, isFieldRange, readIntervalFields } from '../../time/interval-text';
import type { TimeUnit } from '../../time/time-units';
import { failure } from '../failure';
import type { ExpressionContext } from './expression-context';
import { valueOf } from './values/value-of';
import { mapItems } from '../../items';

/** @throws bad_unit, type_mismatch, out_of_range */
export function resolveInterval(r: ExpressionContext, expression: IntervalExpression): Value {
  const { amount, unit, to, position } = expression;
  const text = textOf(expression);
  if (to !== null) return fieldRange(r, expression, text);
  const named = namedUnit(unit.name, INTERVAL_UNITS, 'INTERVAL', r, unit.position);
  if (text !== undefined) return constant(readIntervalFields(text, named, null), text, position);
  const count = wholeAmount(r, r.resolve(amount));
  const known = constantOf(count.expr);
  if (known === undefined) {
    return valueOf(
      callOf('interval_of_unit', [count.expr], INTERVAL, { unit: named, safe: false }),
      INTERVAL,
      position
    );
  }
  if (known.value === null) return valueOf(constantInterval(null), INTERVAL, position);
  return constant(intervalOfUnit(BigInt(known.value), named), null, position);
}

/** Whether an interval is written with a text: `INTERVAL '1:30' HOUR TO MINUTE`. */
export function isWrittenAsText(expression: IntervalExpression): boolean {
  return expression.to !== null || textOf(expression) !== undefined;
}

function textOf({ amount }: IntervalExpression): string | undefined {
  return amount.kind === 'literal' && amount.literal.type === 'string' ? amount.literal.value : undefined;
}

function fieldRange(r: ExpressionContext, expression: IntervalExpression, text: string | undefined): Value {
  const { unit, to, position } = expression;
  const [first, last] = [unit.name.toUpperCase(), to?.name.toUpperCase() ?? ''];
  if (!isFieldRange(first, last)) {
    r.fail('bad_unit', `an interval has no fields ${first} TO ${last}`, unit.position, 'write YEAR TO SECOND');
  }
  if (text === undefined) {
    r.fail(
      'type_mismatch',
      'an interval with TO is written as a text',
      position,
      "write INTERVAL '1:30' HOUR TO MINUTE"
    );
  }
  return constant(readIntervalFields(text, first as TimeUnit, last as TimeUnit), text, position);
}

function constant(value: bigint | undefined, text: string | null, position: SourcePosition): Value {
  if (value !== undefined) return valueOf(constantInterval(value), INTERVAL, position);
  if (text === null) throw failure('out_of_range', 'an interval is longer than 10,000 years', position);
  throw failure('type_mismatch', `"${text.slice(0, 60)}" is not such an interval of at most 10,000 years`, position, {
    hint: "write INTERVAL 5 MINUTE, INTERVAL '1:30' HOUR TO MINUTE, or INTERVAL '1-2 3 4:5:6' YEAR TO SECOND",
  });
}

/** `+`, `-`, `*` and `/` with intervals, and the difference of times; undefined for other operands. */
export function intervalArithmetic(
  r: ExpressionContext,
  operator: BinaryOperator,
  left: Value,
  right: Value,
  position: SourcePosition
): Value | undefined {
  if (left.type.kind !== 'INTERVAL' && right.type.kind !== 'INTERVAL') {
    return operator === '-' ? difference(r, left, right, position) : undefined;
  }
  const made = combined(r, operator, left, right);
  if (made !== undefined) {
    ensureShort(made, position);
    return r.folded(valueOf(made, made.type, position));
  }
  const names = [left, right].map(({ type }) => shortTypeName(type)).join(' and ');
  const isText = [left, right].some(({ type }) => type.kind === 'STRING');
  throw failure('type_mismatch', `"${operator}" does not work on ${names}`, position, {
    hint: isText
      ? "write TIMESTAMP '2026-03-01' for a time, TIMESTAMP(...) around other texts"
      : 'intervals are added to times and intervals, and multiplied with and divided by INT64',
  });
}

/** Stores take seconds to plan arithmetic of intervals that is nested deeply. */
const MAX_OPERATIONS = 16;
const operations = new WeakMap<Expr, number>();

/** @throws too_complex */
function ensureShort(expr: Expr, position: SourcePosition): void {
  if (operationsOf(expr) <= MAX_OPERATIONS) return;
  throw failure('too_complex', 'an expression has too much arithmetic of intervals', position, {
    maximum: MAX_OPERATIONS,
    hint: 'add numbers of seconds, such as TIMESTAMP_DIFF(later, earlier, SECOND)',
  });
}

/** Number of operations of intervals once the expression is written out. */
function operationsOf(expr: Expr): number {
  if (isLeaf(expr)) return 0;
  let count = operations.get(expr);
  if (count === undefined) {
    const own = expr.kind === 'call' && expr.fn.startsWith('interval_') ? 1 : 0;
    count = children(expr).reduce((sum, child) => sum + operationsOf(child), own);
    operations.set(expr, count);
  }
  return count;
}

function combined(r: ExpressionContext, operator: BinaryOperator, left: Value, right: Value): Expr | undefined {
  const [a, b] = [left.type.kind === 'INTERVAL', right.type.kind === 'INTERVAL'];
  switch (operator) {
    case '+':
    case '-': {
      const isSum = operator === '+';
      if (b && isTime(left.type)) return moved(r, left, right, isSum);
      if (a && isTime(right.type)) return isSum ? moved(r, right, left, true) : undefined;
      const [x, y] = [left, right].map((value) => asInterval(r, value));
      return x && y && callOf(isSum ? 'interval_add' : 'interval_sub', [x, y], INTERVAL, { safe: false });
    }
    case '*': {
      const [interval, count] = a ? [left, right] : [right, left];
      const n = asCount(r, count);
      return n && callOf('interval_mul', [interval.expr, n], INTERVAL, { safe: false });
    }
    case '/': {
      const n = a ? asCount(r, right) : undefined;
      return n && callOf('interval_div', [left.expr, n], INTERVAL, { safe: false });
    }
    default:
      return undefined;
  }
}

function asInterval(r: ExpressionContext, value: Value): Expr | undefined {
  const isInterval = value.type.kind === 'INTERVAL' || value.type.kind === 'NULL';
  return isInterval ? r.coerce(value, INTERVAL, 'an interval').expr : undefined;
}

function asCount(r: ExpressionContext, value: Value): Expr | undefined {
  const isCount = value.type.kind === 'INT64' || value.type.kind === 'NULL' || value.text === 'parameter';
  return isCount ? r.coerce(value, INT64, 'an interval').expr : undefined;
}

/** A DATE becomes a DATETIME. */
function moved(r: ExpressionContext, time: Value, interval: Value, isSum: boolean): Expr {
  const clock = time.type.kind === 'DATE' ? retype(time, DATETIME, r) : time;
  return movedBy(clock.expr, interval.expr, isSum ? 'time_add' : 'time_sub');
}

/** A text takes the type of the other time. */
function difference(r: ExpressionContext, left: Value, right: Value, position: SourcePosition): Value | undefined {
  const [a, b] = [typeBeside(left, right), typeBeside(right, left)];
  const type = differenceType(a, b);
  if (type === undefined) return undefined;
  const [x, y] = mapItems([left, right], (value) => r.coerce(value, type, '"-"').expr);
  return valueOf(callOf('interval_between', [x, y], INTERVAL), INTERVAL, position);
}

function typeBeside(value: Value, other: Value): Type {
  return value.type.kind === 'STRING' && value.text !== null ? other.type : value.type;
}
