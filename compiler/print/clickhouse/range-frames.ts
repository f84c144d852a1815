/**
 * RANGE frames with amounts. ClickHouse takes whole amounts below 2^31 - 1 only: for larger ones, such as an hour of
 * microseconds, key and amounts are divided by a power of two, which is exact for keys that FLOAT64 holds exactly. For
 * fractions such as 0.5 they are multiplied by one. A key that is NaN or infinite would change the frames of other
 * rows, so it fails. NULL is at no distance with ASC NULLS FIRST and DESC NULLS LAST; with others ClickHouse measures
 * to it, so the negated key is sorted the other way.
 */
import { ServiceError } from '#contract/errors';
import type { Expr, WindowExpr } from '../../ir/expression';
import type { RangeForm, SortKey } from '../dialect/dialect';
import { isByDefault } from './values/order-key';
import { failsWhen } from './values/literals';

const LARGEST_AMOUNT = 2n ** 31n - 2n;
const LARGEST_KEY = 2n ** 53n;
/** No distance of keys is larger. */
const LARGEST_DISTANCE = 2n ** 54n;

/** @throws ServiceError not_supported for amounts that are computed, or are no multiples of the power of two */
export function rangeForm({ frame, orderBy }: WindowExpr): RangeForm | null {
  const [key] = orderBy;
  if (frame === null || frame.unit !== 'RANGE' || key === undefined) return null;
  const amounts = [frame.start, frame.end].flatMap((edge) =>
    edge !== null && 'amount' in edge ? [distance(edge.amount)] : []
  );
  if (amounts.length === 0) return null;
  if (amounts.some((amount) => typeof amount === 'number')) return fractionForm(amounts);
  const scale = scaleOf(amounts);
  const isFloat = key.expr.type.kind === 'FLOAT64';
  if (scale === 1n) {
    if (isFloat) return { key: (sorted) => inPlace({ ...sorted, sql: finite(sorted.sql) }, '-'), amount: null };
    return isByDefault(key) ? null : { key: (sorted) => inPlace(sorted, 'bitNot'), amount: null };
  }
  if (amounts.some((amount) => amount === null || BigInt(amount) % scale !== 0n)) throw refused(scale);
  return {
    key: (sorted) => {
      const { sql } = sorted;
      if (isFloat) return inPlace({ ...sorted, sql: `(${finite(sql)} / ${scale})` }, '-');
      const isLarge = `(${sql} > ${LARGEST_KEY} OR ${sql} < -${LARGEST_KEY})`;
      const scaled = `if(${failsWhen(isLarge, 'range_key')}, NULL, toFloat64(${sql}) / ${scale})`;
      return inPlace({ ...sorted, sql: scaled }, '-');
    },
    amount: (amount) => String(BigInt(distance(amount) ?? 0n) / scale),
  };
}

/**
 * Multiplies a FLOAT64 key by the power of two that makes all amounts whole.
 *
 * @throws ServiceError not_supported for amounts such as 0.1, which no such power makes whole and small
 */
function fractionForm(amounts: readonly (bigint | number | null)[]): RangeForm {
  let factor = 1;
  const isWhole = (amount: bigint | number | null): boolean => Number.isInteger(Number(amount) * factor);
  while (!amounts.every(isWhole) && factor <= LARGEST_AMOUNT) factor *= 2;
  const isTaken = (amount: bigint | number | null): boolean =>
    amount !== null && isWhole(amount) && Number(amount) * factor <= LARGEST_AMOUNT;
  if (!amounts.every(isTaken)) throw refusedFraction();
  return {
    // A product that is not finite is refused like a key that is not.
    key: (sorted) => inPlace({ ...sorted, sql: finite(`(${sorted.sql} * ${factor})`) }, '-'),
    amount: (amount) => String(Number(distance(amount)) * factor),
  };
}

/** The same order with NULL at no distance. @param negate `bitNot` keeps distances, and fits every INT64. */
function inPlace(sorted: SortKey, negate: '-' | 'bitNot'): SortKey {
  if (isByDefault(sorted)) return sorted;
  const { sql, direction } = sorted;
  return { ...sorted, sql: `${negate}(${sql})`, direction: direction === 'ASC' ? 'DESC' : 'ASC' };
}

function finite(sql: string): string {
  return `if(${failsWhen(`NOT isFinite(${sql})`, 'range_key')}, NULL, ${sql})`;
}

/** The smallest power of two by which all amounts become small enough. */
function scaleOf(amounts: readonly (bigint | number | null)[]): bigint {
  let scale = 1n;
  while (amounts.some((amount) => amount !== null && BigInt(amount) / scale > LARGEST_AMOUNT)) scale *= 2n;
  return scale;
}

/** A whole amount, or a fraction as a number; null for an amount that is computed. */
function distance(amount: Expr): bigint | number | null {
  const value = amount.kind === 'literal' ? amount.value : amount.kind === 'bound' ? amount.value.value : null;
  if (typeof value === 'number') return value;
  if (typeof value !== 'bigint') return null;
  return value < LARGEST_DISTANCE ? value : LARGEST_DISTANCE;
}

function refusedFraction(): ServiceError {
  const message = 'on ClickHouse, an amount with a fraction must be a small multiple of 0.5, 0.25, 0.125 and so on';
  return new ServiceError('query_invalid', message, {
    reason: 'not_supported',
    hint: 'order by the key times 10 or 100, with whole amounts',
  });
}

function refused(scale: bigint): ServiceError {
  const message = `on ClickHouse, amounts of this RANGE frame must be multiples of ${scale}`;
  return new ServiceError('query_invalid', message, {
    reason: 'not_supported',
    hint: 'order by a coarser unit, such as UNIX_MILLIS(timestamp)',
  });
}
