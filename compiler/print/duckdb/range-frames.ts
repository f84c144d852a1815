/**
 * RANGE frames with amounts. DuckDB adds an amount to the key and subtracts it, and fails where INT64 does not hold the
 * sum, although no row is that far away. It copies the key for that, which it cannot do with a subquery.
 */
import { ServiceError } from '#contract/errors';
import type { Expr, WindowExpr } from '../../ir/expression';
import { isCall } from '../../ir/operations/call';
import { containsSubquery } from '../../ir/walk/children';
import type { RangeForm } from '../dialect/dialect';

/** Times in microseconds are below 2^59: with smaller amounts, sums of them are in INT64. */
const LARGE_AMOUNT = 2n ** 62n;

/** @throws ServiceError not_supported for a key with a subquery */
export function rangeForm({ frame, orderBy }: WindowExpr): RangeForm | null {
  const [key] = orderBy;
  if (frame?.unit !== 'RANGE' || key === undefined) return null;
  const amounts = [frame.start, frame.end].flatMap((edge) =>
    edge !== null && 'amount' in edge ? [wholeAmount(edge.amount)] : []
  );
  if (amounts.length === 0) return null;
  if (containsSubquery(key.expr)) throw keyWithSubquery();
  if (key.expr.type.kind !== 'INT64' || amounts.includes(null)) return null;
  if (isSmall(key.expr) && amounts.every((amount) => amount! < LARGE_AMOUNT)) return null;
  return {
    key: (sorted) => ({ ...sorted, sql: wide(sorted.sql) }),
    amount: (amount) => wide(String(wholeAmount(amount))),
  };
}

/** Whether a key is known to be far from the limits of INT64. */
function isSmall(key: Expr): boolean {
  return isCall(key, 'unix_micros', 'unix_millis', 'unix_seconds');
}

function keyWithSubquery(): ServiceError {
  const message = 'on DuckDB, the key of a RANGE frame with an amount cannot contain a subquery';
  return new ServiceError('query_invalid', message, {
    reason: 'not_supported',
    hint: 'compute the key in a query in FROM, and order by its column',
  });
}

function wide(sql: string): string {
  return `CAST(${sql} AS HUGEINT)`;
}

/** Null for an amount that is computed. */
function wholeAmount(amount: Expr): bigint | null {
  const value = amount.kind === 'literal' ? amount.value : amount.kind === 'bound' ? amount.value.value : null;
  return typeof value === 'bigint' ? value : null;
}
