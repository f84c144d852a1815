/** Lowers the columns of a chart: bucket, group fields and aggregates. */
import { callExpression } from '../../ast/call';
import type { Expression, SelectItem } from '../../ast';
import { isNumeric, isScalar, shortTypeName } from '../../ir/types';
import { printPath } from '../encode/print-path';
import { lqlError } from '../errors';
import type { AggregateRule, BucketRule, ChartRule, LqlPath } from '../rules';
import { UNITS } from '../time/units';
import { access, first, isRecord, withArticle, type Access } from './access';
import type { Lowering } from './lowering';
import { defaultName, ensureNewName } from './projection';
import { timestampColumn, type TimestampColumn } from './timestamp';
import { binary, element, path, select, whole } from './tree';

export interface ChartColumns {
  readonly items: readonly SelectItem[];
  /** Number of leading columns by which rows are grouped. */
  readonly groups: number;
}

export function chartColumns(chart: ChartRule, lowering: Lowering): ChartColumns {
  const timestamp = timestampColumn(lowering.table, chart.position, 'a chart');
  const used = new Set(['timestamp']);
  const named = (name: string, expression: Expression, position: ChartRule['position']): SelectItem => {
    const hint = name === 'timestamp' ? 'for times write a period: c:group_by(t::minute)' : 'leave one of them out';
    ensureNewName(name, used, position, hint);
    return select(expression, name);
  };
  const groups = chart.groups.map((group) => {
    const column = scalar(group, lowering);
    return named(defaultName(group), first(column), group.position);
  });
  const aggregates = chart.aggregates.map((rule) => {
    return named(aggregateName(rule), aggregate(rule, timestamp.value, lowering), rule.position);
  });
  return {
    items: [select(bucket(chart.bucket, timestamp), 'timestamp'), ...groups, ...aggregates],
    groups: groups.length + 1,
  };
}

/** Start of the bucket: multiples are counted from 1970-01-01 UTC, weeks from a Monday. */
function bucket({ count, unit, position }: BucketRule, { value, type }: TimestampColumn): Expression {
  const length = UNITS[unit].seconds;
  if (count === 1 || length === null)
    return callExpression('TIMESTAMP_TRUNC', [value, path([UNITS[unit].calendar], position)], position);
  const instant = type.kind === 'TIMESTAMP' ? value : callExpression('TIMESTAMP', [value], position);
  const seconds = callExpression('UNIX_SECONDS', [instant], position);
  const size = whole(BigInt(count) * length, position);
  const remainder = (of: Expression): Expression => callExpression('MOD', [of, size], position);
  const sinceStart = unit === 'week' ? binary(seconds, '-', whole(FIRST_MONDAY, position)) : seconds;
  // The remainder has the sign of the dividend; adding the size makes it positive before 1970.
  const above = remainder(binary(remainder(sinceStart), '+', size));
  const start = callExpression('TIMESTAMP_SECONDS', [binary(seconds, '-', above)], position);
  return type.kind === 'TIMESTAMP' ? start : callExpression('DATETIME', [start], position);
}

/** 1970-01-05, in seconds since 1970. */
const FIRST_MONDAY = 4n * 86_400n;

function aggregateName({ aggregate: name, path: of }: AggregateRule): string {
  if (of === null) return name === 'countd' ? 'countd_timestamp' : name;
  return `${name}_${defaultName(of)}`;
}

function aggregate(
  { aggregate: name, path: of, position }: AggregateRule,
  timestamp: Expression,
  lowering: Lowering
): Expression {
  if (of === null) {
    const all = callExpression('COUNT', [], position);
    return name === 'countd' ? { ...all, args: [timestamp], distinct: true } : { ...all, star: true };
  }
  const column = scalar(of, lowering);
  const value = first(column);
  switch (name) {
    case 'count':
      return callExpression('COUNT', [value], position);
    case 'countd':
      return { ...callExpression('COUNT', [value], position), distinct: true };
    case 'min':
    case 'max':
      return callExpression(name.toUpperCase(), [value], position);
    case 'avg':
    case 'sum':
      ensureNumeric(column, position, name);
      return callExpression(name.toUpperCase(), [value], position);
    case 'p50':
    case 'p90':
    case 'p95':
    case 'p99': {
      ensureNumeric(column, position, name);
      return element(
        callExpression('APPROX_QUANTILES', [value, whole(100, position)], position),
        Number(name.slice(1))
      );
    }
  }
}

function scalar(of: LqlPath, { table }: Lowering): Access {
  const column = access(of, table);
  if (isScalar(column.type)) return column;
  const name = shortTypeName(column.type);
  const what = isRecord(column.type) ? 'a record' : column.type.kind === 'ARRAY' ? 'a list' : withArticle(name);
  throw lqlError('not_queryable', `"${printPath(of)}" is ${what}; a chart takes single values`, of.position);
}

function ensureNumeric({ type, path: of }: Access, position: AggregateRule['position'], name: string): void {
  if (isNumeric(type) || type.kind === 'NULL') return;
  const message = `${name} needs a number, but "${printPath(of)}" is ${withArticle(shortTypeName(type))}`;
  throw lqlError('type_mismatch', message, position, { hint: 'count, countd, min and max take any single value' });
}
