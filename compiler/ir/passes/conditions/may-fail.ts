/**
 * Expressions that can fail on some row. Stores reorder conditions, so a failing expression could reveal rows that
 * another condition excludes. Everything not listed here as safe may fail.
 */
import type { Expr } from '../../expression';
import type { AggregateName, OpName } from '../../operations/ops';

/** Calls that return a value or NULL for all operands. */
const SAFE_CALLS: ReadonlySet<OpName> = new Set<OpName>([
  'and',
  'or',
  'not',
  'eq',
  'ne',
  'lt',
  'le',
  'gt',
  'ge',
  'is_null',
  'is_not_null',
  'is_true',
  'is_false',
  'is_distinct',
  'is_not_distinct',
  'between',
  'in_list',
  'coalesce',
  'nullif',
  'starts_with',
  'ends_with',
  'contains',
  'strpos',
  'lower',
  'upper',
  'time_of_day',
  'time_micros',
  'time_from_micros',
  'interval_between',
  'interval_length',
  'interval_part',
]);

const SAFE_AGGREGATES: ReadonlySet<AggregateName> = new Set<AggregateName>([
  'count',
  'count_rows',
  'count_if',
  'min',
  'max',
]);

/** Whether the node itself can fail; its children are checked separately. */
export function mayFail(expr: Expr): boolean {
  switch (expr.kind) {
    case 'literal':
    case 'now':
    case 'bound':
    case 'column':
    case 'lazy-record':
    case 'case':
    case 'json-field':
    case 'redacted':
    case 'struct':
    case 'struct-field':
    case 'in-subquery':
    case 'element':
    case 'lambda':
      return false;
    case 'call':
      return !SAFE_CALLS.has(expr.fn);
    case 'cast':
      return !expr.safe;
    case 'subquery':
      return expr.form !== 'exists';
    case 'aggregate':
      return expr.over !== null || !SAFE_AGGREGATES.has(expr.fn);
    case 'array':
      return true;
  }
}
