/** Operators of the dialect. */
import type { OperatorOps } from '../../../ir/operations/ops';
import { isConstant } from '../../../ir/operations/call';
import { isKnownPresent, mayBeMinusOne } from '../../base/constants';
import { balanced, baseOperators, infix, list, named, sqlOf, suffix } from '../../base/functions';
import { isBrief, repeatShort } from '../../dialect/bind-once';
import type { CallPrinter, CallPrinters, MayBeNaN, Operand } from '../../dialect/dialect';
import { isConcatBounded, tooLong } from '../../base/text/text-growth';
import { bindOnce, nameOnce } from '../values/bind-once';
import { raise } from '../values/literals';
import { like } from './text/like';

export const operators: CallPrinters<OperatorOps> = {
  ...baseOperators,
  eq: equality('='),
  ne: equality('<>'),
  lt: order('<'),
  le: order('<='),
  gt: order('>'),
  ge: order('>='),
  is_true: suffix('IS TRUE'),
  is_false: suffix('IS FALSE'),
  is_distinct: infix('IS DISTINCT FROM'),
  is_not_distinct: infix('IS NOT DISTINCT FROM'),
  add: infix('+'),
  sub: infix('-'),
  mul: infix('*'),
  divide: quotient,
  // DuckDB returns NULL for integers but NaN for DOUBLE.
  mod: (operands, { type }) => {
    const [x, y] = operands;
    if (type.kind === 'FLOAT64') return `(${x.sql} % ${unlessZero(y)})`;
    if (!mayBeMinusOne(y.expr)) return `(${x.sql} % ${y.sql})`;
    return bindOnce(operands, (a, b) => `(CASE WHEN ${b} = -1 THEN ${a} - ${a} ELSE ${a} % ${b} END)`);
  },
  neg: ([x]) => `(- ${x.sql})`,
  bit_and: infix('&'),
  bit_or: infix('|'),
  bit_xor: named('xor'),
  bit_not: ([x]) => `(~ ${x.sql})`,
  bit_count: ([x]) => `CAST(bit_count(${x.sql}) AS BIGINT)`,
  // In 128 bits: DuckDB refuses to shift out a bit, and keeps the sign.
  shift_left: shifted((x, n) => {
    const wide = `((CAST(${x} AS HUGEINT) * (CAST(1 AS HUGEINT) << CAST(${n} AS HUGEINT))) & ${LOW_BITS})`;
    return `CAST(CASE WHEN ${wide} > 9223372036854775807 THEN ${wide} - ${LOW_BITS} - 1 ELSE ${wide} END AS BIGINT)`;
  }),
  shift_right: shifted((x, n) => {
    const unsigned = `(CAST(${x} AS HUGEINT) + ${LOW_BITS} + 1)`;
    return `(CASE WHEN ${x} >= 0 OR ${n} = 0 THEN ${x} >> ${n} ELSE CAST(${unsigned} >> CAST(${n} AS HUGEINT) AS BIGINT) END)`;
  }),
  concat: (operands, { args }) => {
    if (isConcatBounded(args)) return balanced(sqlOf(operands), '||');
    return bindOnce(operands, (...texts) => {
      const bytes = texts.map((text) => `strlen(${text})`);
      const longest = `greatest(${bytes.join(', ')})`;
      const grown = `(${balanced(bytes, '+')} - ${longest})`;
      return `(CASE WHEN ${tooLong(longest, grown)} THEN ${raise('text_too_long')} ELSE ${balanced(texts, '||')} END)`;
    });
  },
  like,
  between: (operands, { args }, mayBeNaN) => {
    const [value, from, to] = operands;
    if (!args.some(mayBeNaN)) return between(operands);
    return bindOnce(operands, (x, low, high) => {
      const short = { ...value, sql: x };
      const isAbove = ordered('>=', short, { ...from, sql: low }, mayBeNaN);
      return `(${isAbove} AND ${ordered('<=', short, { ...to, sql: high }, mayBeNaN)})`;
    });
  },
  in_list: (operands, _, mayBeNaN) => {
    const [value, ...choices] = operands;
    if (!mayBeNaN(value.expr) || !choices.some(({ expr }) => mayBeNaN(expr)))
      return `(${value.sql} IN (${list(choices)}))`;
    return bindOnce(operands, (v, ...others) => `(${others.map((other) => equal(v, other)).join(' OR ')})`);
  },
  list_contains: (operands, { args }, mayBeNaN) =>
    bindOnce(
      operands,
      (all, x) =>
        `(CASE WHEN list_contains(${all}, ${x})${args.every(mayBeNaN) ? ` AND NOT isnan(${x})` : ''} THEN TRUE WHEN coalesce(len(${all}), 0) = 0 THEN FALSE ` +
        `WHEN ${x} IS NULL OR list_count(${all}) < len(${all}) THEN NULL ELSE FALSE END)`
    ),
  list_index: listIndex,
  list_length: named('len'),
};

/** The 64 bits of an unsigned integer. */
const LOW_BITS = "CAST('18446744073709551615' AS HUGEINT)";

/** A shift by 64 or more is zero. */
function shifted(shift: (x: string, n: string) => string): CallPrinter<'shift_left' | 'shift_right'> {
  return (operands) =>
    bindOnce(
      operands,
      (x, n) =>
        `(CASE WHEN ${x} IS NULL THEN NULL WHEN ${n} < 0 THEN ${raise('out_of_range')} WHEN ${n} > 63 THEN ${x} - ${x} ELSE ${shift(x, n)} END)`
    );
}

/** DuckDB treats NaN as equal to itself and larger than all numbers. */
function equality(operator: '=' | '<>'): CallPrinter<'eq' | 'ne'> {
  return (operands, { args }, mayBeNaN) => {
    if (!args.every(mayBeNaN)) return infix(operator)(operands);
    const compared = (a: string, b: string): string => (operator === '=' ? equal(a, b) : `(NOT ${equal(a, b)})`);
    return repeatShort(operands, bindOnce, compared);
  };
}

/** Equality of numbers that may both be NaN. @param a @param b short texts, which are repeated */
export function equal(a: string, b: string): string {
  return `(${a} = ${b} AND NOT (isnan(${a}) AND isnan(${b})))`;
}

type Order = '<' | '<=' | '>' | '>=';

function order(operator: Order): CallPrinter<'lt' | 'le' | 'gt' | 'ge'> {
  return (operands, { args }, mayBeNaN) => {
    if (!args.some(mayBeNaN)) return infix(operator)(operands);
    const [x, y] = operands;
    return bindOnce(operands, (a, b) => ordered(operator, { ...x, sql: a }, { ...y, sql: b }, mayBeNaN));
  };
}

/** @param a @param b short texts, which are repeated */
function ordered(operator: Order, a: Operand, b: Operand, mayBeNaN: MayBeNaN): string {
  const [larger, smaller] = operator.startsWith('<') ? [b, a] : [a, b];
  const compared = `${a.sql} ${operator} ${b.sql}`;
  if (!mayBeNaN(larger.expr)) return `(${compared})`;
  const isKnown = isKnownPresent(smaller.expr) ? '' : ` AND ${smaller.sql} IS NOT NULL`;
  return `(${compared} AND NOT (isnan(${larger.sql})${isKnown}))`;
}

/** DuckDB takes four times the time to bind a BETWEEN for each one in its operands: those are not in one when long. */
function between(operands: readonly [Operand, Operand, Operand]): string {
  const [value, from, to] = operands;
  if (!isBrief(value)) return bindOnce(operands, (x, low, high) => `(${x} BETWEEN ${low} AND ${high})`);
  return isBrief(from) && isBrief(to)
    ? `(${value.sql} BETWEEN ${from.sql} AND ${to.sql})`
    : `(${value.sql} >= ${from.sql} AND ${value.sql} <= ${to.sql})`;
}

/** Division of two numbers as DOUBLE; NULL for a divisor of zero. */
export function quotient([x, y]: readonly [Operand, Operand]): string {
  return `(${asDouble(x)} / ${unlessZero({ ...y, sql: asDouble(y) })})`;
}

/** DuckDB's nullif is a macro that has its operand twice: nested ones would take time that doubles with each. */
function unlessZero(divisor: Operand): string {
  if (isBrief(divisor)) return `nullif(${divisor.sql}, CAST('0' AS DOUBLE))`;
  return nameOnce(divisor.sql, (x) => `(CASE WHEN ${x} = CAST('0' AS DOUBLE) THEN NULL ELSE ${x} END)`);
}

export function asDouble({ sql, expr }: Operand): string {
  return expr.type.kind === 'FLOAT64' ? sql : `CAST(${sql} AS DOUBLE)`;
}

/** Larger than the length of any list; the next number still fits. */
const MAX_INDEX = 2 ** 32;

/** A negative index returns NULL; DuckDB would count it from the end. */
function listIndex(...[operands, { options }]: Parameters<CallPrinter<'list_index'>>): string {
  const { base } = options;
  const [all, index] = operands;
  const element = (l: string, i: string): string =>
    `(CASE WHEN ${i} >= ${base} AND ${i} < ${MAX_INDEX} THEN list_extract(${l}, ${base === 1 ? i : `(${i} + 1)`}) END)`;
  // The list is used once, so only the index must be short.
  if (isConstant(index.expr) || index.expr.kind === 'column') return element(all.sql, index.sql);
  return bindOnce(operands, element);
}
