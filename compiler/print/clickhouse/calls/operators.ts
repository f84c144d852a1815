/** Operators of the dialect. Integer operations are checked for overflow, which ClickHouse ignores. */
import { isAscii } from '../../../functions/text/ascii';
import type { Expr } from '../../../ir/expression';
import type { OperatorOps } from '../../../ir/operations/ops';
import { INT64 } from '../../../ir/types';
import { isConstant } from '../../../ir/operations/call';
import { mayFail } from '../../../ir/passes/conditions/may-fail';
import { some } from '../../../ir/walk/children';
import { constantText, isKnownNull, mayBeMinusOne } from '../../base/constants';
import { balanced, baseOperators, infix, list, named } from '../../base/functions';
import { isBrief, repeatShort } from '../../dialect/bind-once';
import type { CallPrinter, CallPrinters, Operand } from '../../dialect/dialect';
import { isConcatBounded, tooLong } from '../../base/text/text-growth';
import { elements, isSame } from '../values/lists';
import { bindOnce, nameOnce } from '../values/bind-once';
import { key, sidesOf, unsignedZero } from '../values/keys';
import { failsWhen, int, quoteText, typeName } from '../values/literals';
import { ifAscii, lowerEach } from './text/letter-case';

/** Characters of the operands of a key. */
const LONGEST_KEY = 16_000;

export const operators: CallPrinters<OperatorOps> = {
  ...baseOperators,
  eq: (operands, { args }, mayBeNaN) => {
    const sides = sidesOf(operands);
    if (!args.every(mayBeNaN)) return infix('=')(sides);
    // A join on the key treats NaN as equal to itself.
    const equal = (a: string, b: string): string => `(${a} = ${b} AND NOT (isNaN(${a}) AND isNaN(${b})))`;
    // The only equality of an outer join must be visible.
    return repeatShort(sides, bindOnce, equal, LONGEST_KEY);
  },
  ne: infix('<>'),
  lt: infix('<'),
  le: infix('<='),
  gt: infix('>'),
  ge: infix('>='),
  is_null: nullTest('IS NULL'),
  is_not_null: nullTest('IS NOT NULL'),
  is_true: ([x]) => `ifNull(${x.sql}, FALSE)`,
  is_false: ([x]) => `ifNull(NOT ${x.sql}, FALSE)`,
  is_distinct: sameness('NOT '),
  is_not_distinct: sameness(''),
  add: checked('+'),
  sub: checked('-'),
  mul: checked('*'),
  divide: (operands, call, mayBeNaN) => quotient(operands, mayBeNaN(call)),
  mod: (operands, call, mayBeNaN) => {
    const rest = `moduloOrNull(${list(operands)})`;
    if (call.type.kind === 'FLOAT64') return oneNaN(unsignedZero(rest), mayBeNaN(call));
    if (!mayBeMinusOne(operands[1].expr)) return rest;
    return bindOnce(operands, (x, y) => `if(${y} = -1, ${x} - ${x}, moduloOrNull(${x}, ${y}))`);
  },
  neg: ([x], { type }) => (type.kind === 'INT64' ? toInt(`(- toInt128(${x.sql}))`) : `(0 - ${x.sql})`),
  bit_and: named('bitAnd'),
  bit_or: named('bitOr'),
  bit_xor: named('bitXor'),
  bit_not: named('bitNot'),
  bit_count: ([x]) => `toInt64(bitCount(${x.sql}))`,
  shift_left: shifted((x, n) => `bitShiftLeft(toUInt64(${x}), ${n})`),
  shift_right: shifted((x, n) => `bitShiftRight(toUInt64(${x}), ${n})`),
  concat: (operands, { args }) => {
    const [first, ...others] = operands;
    if (others.length === 0) return first.sql;
    if (isConcatBounded(args)) return named('concat')(operands);
    return bindOnce(operands, (...texts) => {
      const bytes = texts.map((text) => `length(${text})`);
      const longest = `greatest(${bytes.join(', ')})`;
      const fails = failsWhen(tooLong(longest, `(${balanced(bytes, '+')} - ${longest})`), 'text_too_long');
      return `(CASE WHEN ${fails} THEN NULL ELSE concat(${texts.join(', ')}) END)`;
    });
  },
  like,
  between: (operands) => {
    const [value, from, to] = operands;
    // ClickHouse's parser repeats the value.
    return isBrief(value)
      ? `(${value.sql} BETWEEN ${from.sql} AND ${to.sql})`
      : bindOnce(operands, (x, low, high) => `(${x} BETWEEN ${low} AND ${high})`);
  },
  // ClickHouse's IN skips NULLs, so it is used only if no choice is NULL.
  in_list: (operands) => {
    const [x, ...choices] = operands;
    const known = choices.every(({ expr }) => isConstant(expr) && !isKnownNull(expr));
    if (known) return oneOf(x, choices);
    return bindOnce(operands, (name, ...others) => {
      return `(${others.map((choice) => `${name} = ${choice}`).join(' OR ')})`;
    });
  },
  list_contains: (operands, { args }, mayBeNaN) =>
    bindOnce(
      operands,
      (all, x) =>
        `(CASE WHEN empty(${elements(all)}) THEN FALSE WHEN ${x} IS NULL THEN NULL ` +
        `WHEN has(${elements(all)}, ${x})${args.every(mayBeNaN) ? ` AND NOT isNaN(${x})` : ''} THEN TRUE ` +
        `WHEN has(${elements(all)}, NULL) THEN NULL ELSE FALSE END)`
    ),
  list_index: listIndex,
  list_length: (operands) => bindOnce(operands, (all) => `if(${all} IS NULL, NULL, toInt64(length(${elements(all)})))`),
};

/** ClickHouse does not compute the operand of a NULL test whose type has no NULL, so that its failure would be lost. */
function nullTest(test: string): CallPrinter<'is_null' | 'is_not_null'> {
  return ([x]) => `(${some(x.expr, mayHideFailure) ? `toNullable(${x.sql})` : x.sql} ${test})`;
}

/** Also a column of a query: ClickHouse computes its expression where it is read. */
function mayHideFailure(expr: Expr): boolean {
  return mayFail(expr) || (expr.kind === 'column' && (expr.size ?? 1) > 1);
}

/** Whether a value is one of some constants; those other than zero are equal to themselves only. */
function oneOf(x: Operand, choices: readonly Operand[]): string {
  const mayBeZero = choices.some(({ expr }) => expr.kind !== 'literal' || expr.value === 0);
  if (!mayBeZero) return `(${x.sql} IN (${list(choices)}))`;
  return `(${key(x.sql, x.expr)} IN (${choices.map(({ sql, expr }) => key(sql, expr)).join(', ')}))`;
}

/** Converts an integer of any width to INT64; fails, or is NULL, if it is out of range. */
export function toInt(sql: string, safe = false): string {
  return safe ? `accurateCastOrNull(${sql}, 'Int64')` : `accurateCast(${sql}, ${quoteText(typeName(INT64))})`;
}

/** A shift of the 64 bits without their sign; by 64 or more it is zero. */
function shifted(shift: (x: string, n: string) => string): CallPrinter<'shift_left' | 'shift_right'> {
  return (operands) =>
    bindOnce(operands, (x, n) => {
      const fails = failsWhen(`${n} < 0 AND ${x} IS NOT NULL`, 'out_of_range');
      return `(CASE WHEN ${fails} THEN NULL WHEN ${n} > 63 THEN ${x} - ${x} ELSE toInt64(${shift(x, `toUInt8(${n})`)}) END)`;
    });
}

/**
 * Replaces every NaN by the same one: arithmetic also produces NaN with a sign, which GROUP BY and DISTINCT would
 * distinguish.
 */
export function oneNaN(sql: string, mayBeNaN: boolean): string {
  return mayBeNaN ? nameOnce(sql, (v) => `if(isNaN(${v}), toFloat64('nan'), ${v})`) : sql;
}

function sameness(not: '' | 'NOT '): CallPrinter<'is_distinct' | 'is_not_distinct'> {
  return (operands, { args }, mayBeNaN) => {
    const sides = sidesOf(operands);
    if (!args.every(mayBeNaN)) return infix(not === '' ? '<=>' : 'IS DISTINCT FROM')(sides);
    return bindOnce(sides, (a, b) => `(${not}${isSame(a, b, true)})`);
  };
}

/** Division of two numbers as Float64; NULL for a divisor of zero. */
export function quotient([x, y]: readonly [Operand, Operand], mayBeNaN: boolean): string {
  return oneNaN(unsignedZero(`toFloat64(${x.sql}) / nullIf(toFloat64(${y.sql}), 0)`), mayBeNaN);
}

function checked(operator: '+' | '-' | '*'): CallPrinter<'add' | 'sub' | 'mul'> {
  return ([left, right], call, mayBeNaN) =>
    call.type.kind === 'INT64'
      ? toInt(`(toInt128(${left.sql}) ${operator} ${right.sql})`)
      : oneNaN(unsignedZero(`${left.sql} ${operator} ${right.sql}`), mayBeNaN(call));
}

function like(...[operands, { options }]: Parameters<CallPrinter<'like'>>): string {
  const [text, pattern] = operands;
  const compared = likePattern(pattern);
  if (!options.caseInsensitive) return `(${text.sql} LIKE ${compared})`;
  const known = constantText(pattern.expr);
  return bindOnce([text] as const, (x) => {
    const mapped = `${lowerEach(x)} LIKE ${lowerEach(compared)}`;
    return typeof known === 'string' && isAscii(known) ? ifAscii(x, `${x} ILIKE ${compared}`, mapped) : `(${mapped})`;
  });
}

/** In ClickHouse a backslash before an ordinary character is literal; in the dialect it escapes that character. */
function likePattern({ sql, expr }: Operand): string {
  const text = constantText(expr);
  if (text !== undefined && !text?.includes('\\')) return sql;
  return `replaceRegexpAll(${sql}, ${quoteText('(\\\\[%_\\\\])|\\\\([^%_\\\\])')}, ${quoteText('\\1\\2')})`;
}

/** Larger than the length of any list; the next number still fits. */
const MAX_INDEX = 2 ** 32;

/** A negative index returns NULL; ClickHouse would count it from the end. */
function listIndex(...[operands, { options }]: Parameters<CallPrinter<'list_index'>>): string {
  const { base } = options;
  const [all, index] = operands;
  const element = (l: string, i: string): string =>
    `if(${i} >= ${int(base)} AND ${i} < ${MAX_INDEX}, arrayElement(${elements(l)}, greatest(${base === 1 ? i : `(${i} + 1)`}, 1)), NULL)`;
  // The list is used once, so only the index must be short.
  if (isConstant(index.expr) || index.expr.kind === 'column') return element(all.sql, index.sql);
  return bindOnce(operands, element);
}
