/** Lengths of lists as far as they are known when a query is compiled, to bound the work of lambdas for one row. */
import { MAX_LIST_LENGTH, MAX_PARTS, MAX_ROW_LIST_LENGTH } from '../../../functions/limits';
import { isConstant } from '../../operations/call';
import type { Expr } from '../../expression';
import { itemAt } from '../../../items';

/** A list of an event: longer ones are rare. */
const OF_AN_EVENT = 200;

/** Length that a list may have. Lists of events and of groups are estimates, all others upper bounds. */
export function listLength(expr: Expr): number {
  switch (expr.kind) {
    case 'array':
      return expr.items.length;
    case 'literal':
      return 0;
    case 'call':
      return ofCall(expr);
    case 'case':
      return Math.max(
        0,
        ...expr.branches.map(({ then }) => listLength(then)),
        expr.otherwise ? listLength(expr.otherwise) : 0
      );
    case 'aggregate':
    case 'subquery':
      return MAX_ROW_LIST_LENGTH;
    default:
      return OF_AN_EVENT;
  }
}

/** Length of a list of constants; undefined for one that rows determine. */
export function knownLength(expr: Expr): number | undefined {
  if (expr.kind === 'array') return expr.items.length;
  if (expr.kind !== 'call') return undefined;
  switch (expr.fn) {
    case 'generate_array':
      return expr.args.every(({ kind }) => kind === 'literal') ? ofSeries(expr.args) : undefined;
    case 'list_map':
    case 'array_reverse':
      return knownLength(itemAt(expr.args, 0));
    default:
      return undefined;
  }
}

function ofCall({ fn, args }: Extract<Expr, { kind: 'call' }>): number {
  switch (fn) {
    case 'generate_array':
      return ofSeries(args);
    case 'generate_timestamp_array':
      return args.every(isConstant) ? MAX_LIST_LENGTH : MAX_ROW_LIST_LENGTH;
    case 'split':
    case 'bytes_split':
    case 'regexp_extract_all':
      return MAX_PARTS;
    case 'text_code_points':
    case 'bytes_code_points':
      return MAX_ROW_LIST_LENGTH;
    case 'array_concat':
      return args.reduce((sum, arg) => sum + listLength(arg), 0);
    case 'list_zip':
    case 'coalesce':
      return Math.max(...args.map(listLength));
    case 'array_reverse':
    case 'list_filter':
    case 'list_map':
    case 'list_slice':
      return listLength(itemAt(args, 0));
    default:
      return OF_AN_EVENT;
  }
}

function ofSeries(args: readonly Expr[]): number {
  const [first, last, step] = args.map((arg) => (arg.kind === 'literal' ? Number(arg.value) : NaN));
  const length = ((last ?? NaN) - (first ?? NaN)) / (step ?? NaN) + 1;
  if (!Number.isNaN(length)) return Math.min(Math.max(length, 0), MAX_LIST_LENGTH);
  return args.every(isConstant) ? MAX_LIST_LENGTH : MAX_ROW_LIST_LENGTH;
}
