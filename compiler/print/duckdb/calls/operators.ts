/** Operators of the dialect. */
import { isAscii } from '../../../functions/text/ascii';
import type { CallExpr, Expr } from '../../../ir/expression';
import type { CallPrinter, MayBeNaN } from '../../dialect';
import { constantText, isConstant, mayBeMinusOne, operands, repeatShort, type Operand } from '../../bind-once';
import { isConcatBounded, tooLong } from '../../text-growth';
import { bindOnce } from '../bind-once';
import { quoteText, raise } from '../literals';
import { lowerEach } from './letter-case';

export const operators: Readonly<Record<string, CallPrinter>> = {
  and: (args) => `(${args.join(' AND ')})`,
  or: (args) => `(${args.join(' OR ')})`,
  not: ([x]) => `(NOT ${x})`,
  eq: equality('='),
  ne: equality('<>'),
  lt: order('<'),
  le: order('<='),
  gt: order('>'),
  ge: order('>='),
  is_null: suffix('IS NULL'),
  is_not_null: suffix('IS NOT NULL'),
  is_true: suffix('IS TRUE'),
  is_false: suffix('IS FALSE'),
  is_distinct: infix('IS DISTINCT FROM'),
  is_not_distinct: infix('IS NOT DISTINCT FROM'),
  add: infix('+'),
  sub: infix('-'),
  mul: infix('*'),
  divide: (args, { args: [x, y] }) =>
    `(${asDouble(args[0], x)} / nullif(${asDouble(args[1], y)}, CAST('0' AS DOUBLE)))`,
  // DuckDB returns NULL for integers but NaN for DOUBLE.
  mod: (args, { args: exprs, type }) => {
    const [x, y] = args;
    if (type.kind === 'FLOAT64') return `(${x} % nullif(${y}, CAST('0' AS DOUBLE)))`;
    if (!mayBeMinusOne(exprs[1])) return `(${x} % ${y})`;
    return bindOnce(operands(args, exprs), (a, b) => `(CASE WHEN ${b} = -1 THEN ${a} - ${a} ELSE ${a} % ${b} END)`);
  },
  neg: ([x]) => `(- ${x})`,
  bit_and: infix('&'),
  bit_or: infix('|'),
  bit_xor: ([x, y]) => `xor(${x}, ${y})`,
  bit_not: ([x]) => `(~ ${x})`,
  shift_left: infix('<<'),
  shift_right: infix('>>'),
  concat: (args, { args: exprs }) => {
    if (isConcatBounded(exprs)) return balanced(args, '||');
    return bindOnce(operands(args, exprs), (...texts) => {
      const bytes = texts.map((text) => `strlen(${text})`);
      const longest = `greatest(${bytes.join(', ')})`;
      const grown = `(${balanced(bytes, '+')} - ${longest})`;
      return `(CASE WHEN ${tooLong(longest, grown)} THEN ${raise('text_too_long')} ELSE ${balanced(texts, '||')} END)`;
    });
  },
  like,
  between: (args, { args: exprs }, mayBeNaN) => {
    const values = operands(args, exprs) as [Operand, Operand, Operand];
    if (!exprs.some(mayBeNaN)) return `(${args[0]} BETWEEN ${args[1]} AND ${args[2]})`;
    return bindOnce(values, (x = '', low = '', high = '') => {
      const [value, from, to] = [x, low, high].map((sql, index) => ({ ...(values[index] as Operand), sql }));
      return `(${ordered('>=', value as Operand, from as Operand, mayBeNaN)} AND ${ordered('<=', value as Operand, to as Operand, mayBeNaN)})`;
    });
  },
  in_list: (args, { args: exprs }, mayBeNaN) => {
    const [x, ...items] = args;
    const [value, ...choices] = exprs;
    if (value === undefined || !mayBeNaN(value) || !choices.some(mayBeNaN)) return `(${x} IN (${items.join(', ')}))`;
    return bindOnce(
      operands(args, exprs),
      (v = '', ...others) => `(${others.map((other) => equal(v, other)).join(' OR ')})`
    );
  },
  list_contains: (args, { args: exprs }, mayBeNaN) =>
    bindOnce(
      operands(args, exprs),
      (list, x) =>
        `(CASE WHEN list_contains(${list}, ${x})${exprs.every(mayBeNaN) ? ` AND NOT isnan(${x})` : ''} THEN TRUE WHEN coalesce(len(${list}), 0) = 0 THEN FALSE ` +
        `WHEN ${x} IS NULL OR list_count(${list}) < len(${list}) THEN NULL ELSE FALSE END)`
    ),
  list_index: listIndex,
  list_length: ([list]) => `len(${list})`,
};

/** Prints a chain of one operator as a balanced tree: DuckDB refuses expressions deeper than 1000. */
export function balanced(args: readonly string[], operator: string): string {
  if (args.length === 1) return args[0] as string;
  const middle = args.length >> 1;
  return `(${balanced(args.slice(0, middle), operator)} ${operator} ${balanced(args.slice(middle), operator)})`;
}

function infix(operator: string): CallPrinter {
  return ([left, right]) => `(${left} ${operator} ${right})`;
}

/** DuckDB treats NaN as equal to itself and larger than all numbers. */
function equality(operator: '=' | '<>'): CallPrinter {
  return (args, { args: exprs }, mayBeNaN) => {
    if (!exprs.every(mayBeNaN)) return `(${args.join(` ${operator} `)})`;
    const compared = (a: string, b: string): string => (operator === '=' ? equal(a, b) : `(NOT ${equal(a, b)})`);
    return repeatShort(operands(args, exprs), bindOnce, compared);
  };
}

/** Equality of numbers that may both be NaN. @param a @param b short texts, which are repeated */
export function equal(a: string, b: string): string {
  return `(${a} = ${b} AND NOT (isnan(${a}) AND isnan(${b})))`;
}

function order(operator: string): CallPrinter {
  return (args, { args: exprs }, mayBeNaN) => {
    const values = operands(args, exprs) as [Operand, Operand];
    if (!exprs.some(mayBeNaN)) return `(${args.join(` ${operator} `)})`;
    return bindOnce(values, (a = '', b = '') =>
      ordered(operator, { ...values[0], sql: a }, { ...values[1], sql: b }, mayBeNaN)
    );
  };
}

/** @param a @param b short texts, which are repeated */
function ordered(operator: string, a: Operand, b: Operand, mayBeNaN: MayBeNaN): string {
  const [larger, smaller] = operator.startsWith('<') ? [b, a] : [a, b];
  const compared = `${a.sql} ${operator} ${b.sql}`;
  if (!mayBeNaN(larger.expr)) return `(${compared})`;
  const isKnown = isPresent(smaller.expr) ? '' : ` AND ${smaller.sql} IS NOT NULL`;
  return `(${compared} AND NOT (isnan(${larger.sql})${isKnown}))`;
}

function isPresent(expr: Expr): boolean {
  return expr.kind === 'literal' ? expr.value !== null : expr.kind === 'bound' && expr.value.value !== null;
}

function suffix(test: string): CallPrinter {
  return ([x]) => `(${x} ${test})`;
}

export function asDouble(sql: string | undefined, expr: CallExpr['args'][number] | undefined): string {
  return expr?.type.kind === 'FLOAT64' ? String(sql) : `CAST(${sql} AS DOUBLE)`;
}

function like(args: readonly string[], { args: exprs, options }: CallExpr): string {
  const values = operands(args, exprs);
  const [text, pattern] = values as [Operand, Operand];
  const ignoresCase = options?.['caseInsensitive'] === true;
  const known = constantText(pattern.expr);
  if (known === undefined || (known !== null && CUT_ESCAPE.test(known))) {
    return bindOnce(values, (x, p) => {
      const matched = ignoresCase ? `${lowerEach(String(x))} LIKE ${lowerEach(String(p))}` : `${x} LIKE ${p}`;
      const isCut = `${x} IS NOT NULL AND regexp_matches(${p}, ${quoteText(CUT_ESCAPE.source)})`;
      return `(CASE WHEN ${isCut} THEN ${raise('bad_regex')} ELSE ${matched} ESCAPE '\\' END)`;
    });
  }
  // ESCAPE makes LIKE five times slower.
  const escape = known?.includes('\\') === true ? " ESCAPE '\\'" : '';
  if (!ignoresCase) return `(${text.sql} LIKE ${pattern.sql}${escape})`;
  if (known === null || isAscii(known)) return `(${text.sql} ILIKE ${pattern.sql}${escape})`;
  return bindOnce(values, (x, p) => `(${lowerEach(String(x))} LIKE ${lowerEach(String(p))}${escape})`);
}

/** Pattern that ends with an unpaired backslash. */
const CUT_ESCAPE = /(?:^|[^\\])(?:\\\\)*\\$/;

/** Larger than the length of any list; the next number still fits. */
const MAX_INDEX = 2 ** 32;

/** A negative index returns NULL; DuckDB would count it from the end. */
function listIndex(args: readonly string[], { args: exprs, options }: CallExpr): string {
  const base = Number(options?.['base'] ?? 0);
  const [list, index] = operands(args, exprs);
  if (list === undefined || index === undefined) throw new Error('list_index takes a list and an index');
  const element = (l: string, i: string): string =>
    `(CASE WHEN ${i} >= ${base} AND ${i} < ${MAX_INDEX} THEN list_extract(${l}, ${base === 1 ? i : `(${i} + 1)`}) END)`;
  // The list is used once, so only the index must be short.
  if (isConstant(index.expr) || index.expr.kind === 'column') return element(list.sql, index.sql);
  return bindOnce([list, index], (l, i) => element(String(l), String(i)));
}
