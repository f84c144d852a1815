/**
 * RANGE frames with large amounts. DuckDB adds an amount to the key and subtracts it, and fails where INT64 does not
 * hold the sum, although no row is that far away.
 */
import type { Expr, WindowExpr } from '../../ir/expression';
import type { RangeForm } from '../dialect/dialect';

/** Keys of events are times and counts: with smaller amounts, sums of them are in INT64. */
const LARGE_AMOUNT = 2n ** 62n;

export function rangeForm({ frame, orderBy }: WindowExpr): RangeForm | null {
  const [key] = orderBy;
  if (frame?.unit !== 'RANGE' || key?.expr.type.kind !== 'INT64') return null;
  const amounts = [frame.start, frame.end].flatMap((edge) =>
    edge !== null && 'amount' in edge ? [wholeAmount(edge.amount)] : []
  );
  if (amounts.includes(null) || !amounts.some((amount) => amount! >= LARGE_AMOUNT)) return null;
  return {
    key: (sorted) => ({ ...sorted, sql: wide(sorted.sql) }),
    amount: (amount) => wide(String(wholeAmount(amount))),
  };
}

function wide(sql: string): string {
  return `CAST(${sql} AS HUGEINT)`;
}

/** Null for an amount that is computed. */
function wholeAmount(amount: Expr): bigint | null {
  const value = amount.kind === 'literal' ? amount.value : amount.kind === 'bound' ? amount.value.value : null;
  return typeof value === 'bigint' ? value : null;
}
