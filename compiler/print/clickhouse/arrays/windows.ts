/** Window functions over rows that are elements of a list. */
import { ServiceError } from '#contract/errors';
import { children } from '../../../ir/walk/children';
import type { AggregateExpr, Expr, FrameEdge, WindowExpr } from '../../../ir/expression';
import type { GroupOps } from '../../../ir/operations/ops';
import { isOfKeys } from '../../base/aggregates';
import type { AnyAggregatePrinter, RowNames, NestedPrinter } from '../../dialect/dialect';
import { sortedBy } from '../aggregates';
import { listAggregates } from './aggregates';
import { isSame } from '../values/lists';
import { key } from '../values/keys';
import { castTo } from '../values/literals';
import { isConstant } from '../../../ir/operations/call';

/** A window call. Its values are a separate list, parallel to the rows. */
type WindowCall = AggregateExpr & { readonly over: WindowExpr };

/** Window calls in expressions, without duplicates. */
export function windowsIn(exprs: readonly Expr[]): readonly WindowCall[] {
  const found = (expr: Expr): readonly WindowCall[] =>
    isWindow(expr) ? [expr] : children(expr).flatMap((child) => found(child));
  return [...new Set(exprs.flatMap(found))];
}

function isWindow(expr: Expr): expr is WindowCall {
  return expr.kind === 'aggregate' && expr.over !== null;
}

/** Names for the values of window calls: function arguments after the row. */
export function windowNames(calls: readonly WindowCall[]): RowNames & { readonly names: readonly string[] } {
  const nameAt = (index: number): string => `x${index + 1}`;
  return {
    names: calls.map((_, index) => nameAt(index)),
    nameOf: (expr) => (isWindow(expr) && calls.includes(expr) ? nameAt(calls.indexOf(expr)) : undefined),
  };
}

/**
 * Values of a call for all rows, in order.
 * @param rows a short text @param row name of a row inside functions @param record tuple of values of such a row
 */
export function windowValues(
  call: WindowCall,
  rows: string,
  row: string,
  record: (values: readonly Expr[]) => string,
  printer: NestedPrinter
): string {
  const { partitionBy, orderBy } = call.over;
  const values = [
    ...partitionBy,
    ...orderBy.map(({ expr }) => expr),
    ...call.args,
    ...call.orderBy.map(({ expr }) => expr),
  ];
  const all = `arrayMap((${row}, i) -> tuple(i, ${record(values)}), ${rows}, arrayEnumerate(${rows}))`;
  const flat = `arrayMap(v -> tuple(v.1, ${values.map((_, index) => `v.2.${index + 1}`).join(', ') || '1'}), ${all})`;
  const parts = partitionBy.map((expr) => ({ expr, direction: 'ASC', nulls: 'FIRST' }) as const);
  const keys = [...parts, ...orderBy].map((key) => ({ ...key, mayBeNaN: printer.mayBeNaN(key.expr) }));
  const sorted = sortedBy(flat, keys, (index) => index + 2);
  const places = keys.map(({ expr, mayBeNaN }, index) => ({ at: index + 2, expr, mayBeNaN }));
  const ofPartition = places.slice(0, partitionBy.length);
  const partitions = `arrayMap(s -> arraySplit((r, p) -> NOT (${same('r', 'p', ofPartition)}), s, arrayRotateRight(s, 1)), [${sorted}])[1]`;
  const first = partitionBy.length + orderBy.length + 2;
  const value = valueOf(call, printer, { peers: places.slice(partitionBy.length), first });
  const each = `arrayMap((r, i) -> tuple(r.1, ${value}), w, arrayEnumerate(w))`;
  return `arrayMap(r -> r.2, arraySort(r -> r.1, arrayFlatten(arrayMap(w -> ${each}, ${partitions}))))`;
}

interface Place {
  readonly at: number;
  readonly expr: Expr;
  readonly mayBeNaN: boolean;
}

/** Positions of values in the tuples of a partition. */
interface Places {
  /** Keys of the row order. */
  readonly peers: readonly Place[];
  /** First argument of the call. */
  readonly first: number;
}

function same(a: string, b: string, places: readonly Place[]): string {
  return places.map(({ at, mayBeNaN }) => isSame(`${a}.${at}`, `${b}.${at}`, mayBeNaN)).join(' AND ') || 'TRUE';
}

/** Value for row `r`, number `i` of its partition `w`. */
function valueOf(call: WindowCall, printer: NestedPrinter, places: Places): string {
  const { fn, args, type } = call;
  const [x, y, z] = [0, 1, 2].map((index) => `r.${places.first + index}`);
  const firstPeer = peer('First', places);
  const lastPeer = peer('Last', places);
  switch (fn) {
    case 'row_number':
      return 'toInt64(i)';
    case 'rank':
      return `toInt64(${firstPeer})`;
    case 'dense_rank': {
      const keys = `tuple(${places.peers.map(({ at, expr }) => key(`p.${at}`, expr)).join(', ')})`;
      return `toInt64(length(arrayDistinct(arrayMap(p -> ${keys}, arraySlice(w, 1, i)))))`;
    }
    case 'percent_rank':
      return `if(length(w) < 2, 0., (${firstPeer} - 1) / (length(w) - 1))`;
    case 'cume_dist':
      return `${lastPeer} / length(w)`;
    case 'ntile': {
      const [size, rest] = [`intDiv(length(w), ${x})`, `modulo(length(w), ${x})`];
      const late = `${rest} + intDiv(i - 1 - ${rest} * (${size} + 1), greatest(${size}, 1))`;
      return `toInt64(if(i <= ${rest} * (${size} + 1), intDiv(i - 1, ${size} + 1), ${late}) + 1)`;
    }
    case 'lag':
    case 'lead': {
      const at = `toInt64(i) ${fn === 'lag' ? '-' : '+'} ${args.length > 1 ? y : '1'}`;
      const otherwise = args.length > 2 ? z : 'NULL';
      return castTo(`if(${at} BETWEEN 1 AND length(w), w[${at}].${places.first}, ${otherwise})`, type);
    }
    case 'grouping':
      throw new Error('GROUPING is a value of the groups, not a window function');
    default:
      return frameValueOf(call, fn, printer, places);
  }
}

/** Value computed from the rows of the frame. */
function frameValueOf(
  call: WindowCall,
  fn: keyof GroupOps | 'first_value' | 'last_value' | 'nth_value',
  printer: NestedPrinter,
  places: Places
): string {
  const { args, ignoreNulls, type } = call;
  const frame = frameOf(call.over, printer, places);
  const ofFrame = (body: string): string => `arrayMap(f -> ${body}, [${frame}])[1]`;
  const rows = ignoreNulls ? `arrayFilter(p -> p.${places.first} IS NOT NULL, f)` : 'f';
  if (fn === 'first_value' || fn === 'last_value') {
    return ofFrame(castTo(`${rows}[${fn === 'first_value' ? 1 : -1}].${places.first}`, type));
  }
  if (fn === 'nth_value') return ofFrame(castTo(`${rows}[r.${places.first + 1}].${places.first}`, type));
  const aggregate = listAggregates('p', 'f')[fn] as AnyAggregatePrinter;
  const at = (index: number): string => `p.${places.first + index}`;
  const sort = call.orderBy.map(({ expr, direction, nulls }, index) => {
    return { sql: at(args.length + index), direction, nulls, mayBeNaN: printer.mayBeNaN(expr) };
  });
  // A constant such as a separator is not a value of the rows.
  const ofRow = args.map((arg, index) => {
    if (isConstant(arg)) return printer.expression(arg);
    return isOfKeys(call) ? key(at(index), arg) : at(index);
  });
  return ofFrame(castTo(aggregate({ args: ofRow, sort, over: '' }, call, printer.mayBeNaN), type));
}

/** Position of the first or last peer: a row that is equal in the order. */
function peer(which: 'First' | 'Last', { peers }: Places): string {
  return `array${which}Index(p -> ${same('p', 'r', peers)}, w)`;
}

function frameOf({ orderBy, frame }: WindowExpr, printer: NestedPrinter, places: Places): string {
  const lastPeer = peer('Last', places);
  if (frame === null) return orderBy.length === 0 ? 'w' : `arraySlice(w, 1, ${lastPeer})`;
  const { unit, start, end } = frame;
  const firstPeer = peer('First', places);
  const edge = (at: FrameEdge, ofPeers: string): string => {
    switch (at.kind) {
      case 'unbounded-preceding':
        return '1';
      case 'unbounded-following':
        return 'length(w)';
      case 'current-row':
        return unit === 'ROWS' ? 'toInt64(i)' : ofPeers;
      default: {
        if (unit === 'RANGE') throw refused();
        return `(toInt64(i) ${at.kind === 'preceding' ? '-' : '+'} ${printer.expression(at.amount)})`;
      }
    }
  };
  const first = `greatest(${edge(start, firstPeer)}, 1)`;
  const last = edge(end ?? { kind: 'current-row' }, lastPeer);
  return `arraySlice(w, ${first}, greatest(${last} - ${first} + 1, 0))`;
}

function refused(): ServiceError {
  const message = 'a RANGE frame with an amount does not run on ClickHouse in a subquery that reads the rows around it';
  return new ServiceError('query_invalid', message, { reason: 'not_supported', hint: 'use ROWS, or join instead' });
}
