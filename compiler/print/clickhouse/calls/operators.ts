/** Operators of the dialect. Integer operations are checked for overflow, which ClickHouse ignores. */
import { isAscii } from '../../../functions/text/ascii';
import type { CallExpr, Expr } from '../../../ir/expression';
import { INT64 } from '../../../ir/types';
import { constantText, isConstant, mayBeMinusOne, operands, repeatShort, type Operand } from '../../bind-once';
import { isConcatBounded, tooLong } from '../../text-growth';
import type { CallPrinter } from '../../dialect';
import { bindOnce, nameOnce } from '../bind-once';
import { elements, isSame } from '../arrays/values';
import { failsWhen, int, quoteText, typeName } from '../literals';
import { ifAscii, lowerEach } from './letter-case';

export const operators: Readonly<Record<string, CallPrinter>> = {
  and: (args) => `(${args.join(' AND ')})`,
  or: (args) => `(${args.join(' OR ')})`,
  not: ([x]) => `(NOT ${x})`,
  eq: (args, { args: exprs }, mayBeNaN) => {
    if (!exprs.every(mayBeNaN)) return `(${args.join(' = ')})`;
    // A join on the key treats NaN as equal to itself.
    const equal = (a: string, b: string): string => `(${a} = ${b} AND NOT (isNaN(${a}) AND isNaN(${b})))`;
    return repeatShort(operands(args, exprs), bindOnce, equal);
  },
  ne: infix('<>'),
  lt: infix('<'),
  le: infix('<='),
  gt: infix('>'),
  ge: infix('>='),
  is_null: suffix('IS NULL'),
  is_not_null: suffix('IS NOT NULL'),
  is_true: ([x]) => `ifNull(${x}, FALSE)`,
  is_false: ([x]) => `ifNull(NOT ${x}, FALSE)`,
  is_distinct: sameness('NOT '),
  is_not_distinct: sameness(''),
  add: checked('+'),
  sub: checked('-'),
  mul: checked('*'),
  divide: ([x, y], call, mayBeNaN) =>
    oneNaN(unsignedZero(`toFloat64(${x}) / nullIf(toFloat64(${y}), 0)`), mayBeNaN(call)),
  mod: (args, call, mayBeNaN) => {
    const rest = `moduloOrNull(${args.join(', ')})`;
    if (call.type.kind === 'FLOAT64') return oneNaN(unsignedZero(rest), mayBeNaN(call));
    if (!mayBeMinusOne(call.args[1])) return rest;
    return bindOnce(operands(args, call.args), (x, y) => `if(${y} = -1, ${x} - ${x}, moduloOrNull(${x}, ${y}))`);
  },
  neg: ([x], { type }) => (type.kind === 'INT64' ? toInt(`(- toInt128(${x}))`) : `(0 - ${x})`),
  bit_and: named('bitAnd'),
  bit_or: named('bitOr'),
  bit_xor: named('bitXor'),
  bit_not: named('bitNot'),
  shift_left: (args, { args: exprs }) =>
    bindOnce(operands(args, exprs), (x, n) => {
      const lost = `${n} >= 64 OR bitShiftRight(bitShiftLeft(${x}, ${n}), ${n}) <> ${x}`;
      const outside = `${x} < 0 OR ${n} < 0 OR (${x} <> 0 AND (${lost}))`;
      return `(CASE WHEN ${failsWhen(outside, 'out_of_range')} THEN NULL ELSE bitShiftLeft(${x}, ${n}) END)`;
    }),
  shift_right: (args, { args: exprs }) =>
    bindOnce(operands(args, exprs), (x, n) => `if(${n} BETWEEN 0 AND 63, bitShiftRight(${x}, ${n}), ${x} - ${x})`),
  concat: (args, { args: exprs }) => {
    if (args.length === 1) return String(args[0]);
    if (isConcatBounded(exprs)) return `concat(${args.join(', ')})`;
    return bindOnce(operands(args, exprs), (...texts) => {
      const bytes = texts.map((text) => `length(${text})`);
      const longest = `greatest(${bytes.join(', ')})`;
      const fails = failsWhen(tooLong(longest, `(${bytes.join(' + ')} - ${longest})`), 'text_too_long');
      return `(CASE WHEN ${fails} THEN NULL ELSE concat(${texts.join(', ')}) END)`;
    });
  },
  like,
  between: ([x, low, high]) => `(${x} BETWEEN ${low} AND ${high})`,
  in_list: inList,
  list_contains: (args, { args: exprs }, mayBeNaN) =>
    bindOnce(
      operands(args, exprs),
      (list, x) =>
        `(CASE WHEN empty(${elements(String(list))}) THEN FALSE WHEN ${x} IS NULL THEN NULL ` +
        `WHEN has(${elements(String(list))}, ${x})${exprs.every(mayBeNaN) ? ` AND NOT isNaN(${x})` : ''} THEN TRUE ` +
        `WHEN has(${elements(String(list))}, NULL) THEN NULL ELSE FALSE END)`
    ),
  list_index: listIndex,
  list_length: (args, { args: exprs }) =>
    bindOnce(operands(args, exprs), (list) => `if(${list} IS NULL, NULL, toInt64(length(${elements(String(list))})))`),
};

/** Converts an integer of any width to INT64; fails if it is out of range. */
export function toInt(sql: string): string {
  return `accurateCast(${sql}, ${quoteText(typeName(INT64))})`;
}

/** Removes the sign of zero, by which GROUP BY and DISTINCT would distinguish zeros. */
export function unsignedZero(sql: string): string {
  return `(${sql} + 0)`;
}

/**
 * Replaces every NaN by the same one: arithmetic also produces NaN with a sign, which GROUP BY and DISTINCT would
 * distinguish.
 */
export function oneNaN(sql: string, mayBeNaN: boolean): string {
  return mayBeNaN ? nameOnce(sql, (v) => `if(isNaN(${v}), toFloat64('nan'), ${v})`) : sql;
}

function sameness(not: '' | 'NOT '): CallPrinter {
  return (args, { args: exprs }, mayBeNaN) => {
    if (!exprs.every(mayBeNaN)) return `(${args.join(not === '' ? ' <=> ' : ' IS DISTINCT FROM ')})`;
    return bindOnce(operands(args, exprs), (a = '', b = '') => `(${not}${isSame(a, b, true)})`);
  };
}

function infix(operator: string): CallPrinter {
  return ([left, right]) => `(${left} ${operator} ${right})`;
}

function suffix(test: string): CallPrinter {
  return ([x]) => `(${x} ${test})`;
}

function named(name: string): CallPrinter {
  return (args) => `${name}(${args.join(', ')})`;
}

function checked(operator: string): CallPrinter {
  return ([left, right], call, mayBeNaN) =>
    call.type.kind === 'INT64'
      ? toInt(`(toInt128(${left}) ${operator} ${right})`)
      : oneNaN(unsignedZero(`${left} ${operator} ${right}`), mayBeNaN(call));
}

function like(args: readonly string[], call: CallExpr): string {
  const [text, pattern] = operands(args, call.args) as [Operand, Operand];
  const compared = likePattern(pattern.sql, call);
  if (call.options?.['caseInsensitive'] !== true) return `(${text.sql} LIKE ${compared})`;
  const known = constantText(pattern.expr);
  return bindOnce([text], (x) => {
    const mapped = `${lowerEach(String(x))} LIKE ${lowerEach(compared)}`;
    return typeof known === 'string' && isAscii(known)
      ? ifAscii(String(x), `${x} ILIKE ${compared}`, mapped)
      : `(${mapped})`;
  });
}

/** In ClickHouse a backslash before an ordinary character is literal; in the dialect it escapes that character. */
function likePattern(pattern: string, { args: [, expr] }: CallExpr): string {
  const text = constantText(expr);
  if (text !== undefined && !text?.includes('\\')) return pattern;
  return `replaceRegexpAll(${pattern}, ${quoteText('(\\\\[%_\\\\])|\\\\([^%_\\\\])')}, ${quoteText('\\1\\2')})`;
}

/** ClickHouse's IN skips NULLs, so it is used only if no choice is NULL. */
function inList(args: readonly string[], { args: exprs }: CallExpr): string {
  const [x, ...choices] = args;
  const known = exprs.slice(1).every((expr) => isConstant(expr) && !isNull(expr));
  if (known) return `(${x} IN (${choices.join(', ')}))`;
  return bindOnce(operands(args, exprs), (name, ...others) => {
    return `(${others.map((choice) => `${name} = ${choice}`).join(' OR ')})`;
  });
}

function isNull(expr: Expr): boolean {
  return (expr.kind === 'bound' ? expr.value.value : expr.kind === 'literal' ? expr.value : undefined) === null;
}

/** Larger than the length of any list; the next number still fits. */
const MAX_INDEX = 2 ** 32;

/** A negative index returns NULL; ClickHouse would count it from the end. */
function listIndex(args: readonly string[], { args: exprs, options }: CallExpr): string {
  const base = Number(options?.['base'] ?? 0);
  const [list, index] = operands(args, exprs);
  if (list === undefined || index === undefined) throw new Error('list_index takes a list and an index');
  const element = (l: string, i: string): string =>
    `if(${i} >= ${int(base)} AND ${i} < ${MAX_INDEX}, arrayElement(${elements(l)}, greatest(${base === 1 ? i : `(${i} + 1)`}, 1)), NULL)`;
  // The list is used once, so only the index must be short.
  if (isConstant(index.expr) || index.expr.kind === 'column') return element(list.sql, index.sql);
  return bindOnce([list, index], (l, i) => element(String(l), String(i)));
}
