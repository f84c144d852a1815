/** Operators of the dialect. */
import { isAscii } from '../../../functions/text/ascii';
import type { CallExpr } from '../../../ir/expression';
import type { CallPrinter } from '../../dialect';
import { constantText, isConstant, operands, type Operand } from '../../bind-once';
import { bindOnce } from '../bind-once';
import { quoteText, raise } from '../literals';
import { lowerEach } from './letter-case';

export const operators: Readonly<Record<string, CallPrinter>> = {
  and: (args) => `(${args.join(' AND ')})`,
  or: (args) => `(${args.join(' OR ')})`,
  not: ([x]) => `(NOT ${x})`,
  eq: infix('='),
  ne: infix('<>'),
  lt: infix('<'),
  le: infix('<='),
  gt: infix('>'),
  ge: infix('>='),
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
  // DuckDB gives NULL for a whole number, but NaN for DOUBLE.
  mod: ([x, y], { type }) => (type.kind === 'FLOAT64' ? `(${x} % nullif(${y}, CAST('0' AS DOUBLE)))` : `(${x} % ${y})`),
  neg: ([x]) => `(- ${x})`,
  bit_and: infix('&'),
  bit_or: infix('|'),
  bit_xor: ([x, y]) => `xor(${x}, ${y})`,
  bit_not: ([x]) => `(~ ${x})`,
  shift_left: infix('<<'),
  shift_right: infix('>>'),
  concat: (args) => balanced(args, '||'),
  like,
  between: ([x, low, high]) => `(${x} BETWEEN ${low} AND ${high})`,
  in_list: ([x, ...items]) => `(${x} IN (${items.join(', ')}))`,
  list_contains: (args, { args: exprs }) =>
    bindOnce(
      operands(args, exprs),
      (list, x) =>
        `(CASE WHEN list_contains(${list}, ${x}) THEN TRUE WHEN coalesce(len(${list}), 0) = 0 THEN FALSE ` +
        `WHEN ${x} IS NULL OR list_count(${list}) < len(${list}) THEN NULL ELSE FALSE END)`
    ),
  list_index: listIndex,
  list_length: ([list]) => `len(${list})`,
};

/** A chain of one operator as a tree of even depth: DuckDB refuses expressions deeper than a thousand. */
export function balanced(args: readonly string[], operator: string): string {
  if (args.length === 1) return args[0] as string;
  const middle = args.length >> 1;
  return `(${balanced(args.slice(0, middle), operator)} ${operator} ${balanced(args.slice(middle), operator)})`;
}

function infix(operator: string): CallPrinter {
  return ([left, right]) => `(${left} ${operator} ${right})`;
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

/** A pattern whose last backslash stands before nothing. */
const CUT_ESCAPE = /(?:^|[^\\])(?:\\\\)*\\$/;

/** A negative index is NULL; DuckDB would count it from the end. */
function listIndex(args: readonly string[], { args: exprs, options }: CallExpr): string {
  const base = Number(options?.['base'] ?? 0);
  const [list, index] = operands(args, exprs);
  if (list === undefined || index === undefined) throw new Error('list_index takes a list and an index');
  const element = (l: string, i: string): string =>
    `(CASE WHEN ${i} >= ${base} THEN list_extract(${l}, ${base === 1 ? i : `(${i} + 1)`}) END)`;
  // The list is needed once; only the index must be short.
  if (isConstant(index.expr) || index.expr.kind === 'column') return element(list.sql, index.sql);
  return bindOnce([list, index], (l, i) => element(String(l), String(i)));
}
