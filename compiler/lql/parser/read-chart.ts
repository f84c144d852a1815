/** Parses the part after the colon of `c:count(*)`, `c:group_by(t::5m)` and `c:group_by(m.level)`. */
import { lqlError } from '../errors';
import { AGGREGATES, type Aggregate, type AggregateRule, type BucketRule, type LqlPath } from '../rules';
import { readUnit, UNITS } from '../time/units';
import { readPath } from './read-path';
import type { Reader } from './reader';

export type ChartClause =
  | { readonly kind: 'aggregate'; readonly rule: AggregateRule }
  | { readonly kind: 'bucket'; readonly rule: BucketRule }
  | { readonly kind: 'group'; readonly path: LqlPath };

const NAME = /([a-z0-9_]+)\(/y;
const BUCKET = /(?:timestamp|t)::([A-Za-z0-9]*)/y;
const MULTIPLE = /^([1-9]\d{0,9})?([a-z]+)$/;
/** Longest period: buckets of times before 1970 begin in a year that exists. */
const MAX_SECONDS = 9_999n * 604_800n;

const HINT = `write c:count(*), c:avg(path), c:group_by(t::minute) or c:group_by(path); the aggregates are ${AGGREGATES.join(', ')}`;

export function readChart(reader: Reader, start: number): ChartClause {
  const name = reader.match(NAME)?.[1];
  const clause =
    name === 'group_by' ? readGroup(reader, start) : isAggregate(name) ? readAggregate(reader, start, name) : null;
  if (clause === null || !reader.accept(')') || !reader.atBoundary) throw badChart(reader, start);
  return clause.kind === 'group'
    ? clause
    : ({ ...clause, rule: { ...clause.rule, position: reader.position(start) } } as ChartClause);
}

function readAggregate(reader: Reader, start: number, aggregate: Aggregate): ChartClause | null {
  const isAll = reader.accept('*');
  const path = isAll ? null : readPath(reader, true);
  if (path === null && !(isAll && (aggregate === 'count' || aggregate === 'countd'))) return null;
  return { kind: 'aggregate', rule: { aggregate, path, position: reader.position(start) } };
}

function readGroup(reader: Reader, start: number): ChartClause | null {
  const period = reader.match(BUCKET)?.[1];
  if (period === undefined) {
    const path = readPath(reader, true);
    return path && { kind: 'group', path };
  }
  const bucket = readPeriod(period);
  if (bucket === undefined) throw badPeriod(reader, start, period);
  return { kind: 'bucket', rule: { ...bucket, position: reader.position(start) } };
}

function readPeriod(text: string): Pick<BucketRule, 'count' | 'unit'> | undefined {
  const [, count, name = ''] = MULTIPLE.exec(text) ?? [];
  const unit = readUnit(name);
  // A number is followed by a letter, a name stands alone.
  if (unit === undefined || (name !== UNITS[unit].letter && (count !== undefined || name !== unit))) return undefined;
  const { seconds } = UNITS[unit];
  const isOne = Number(count ?? 1) === 1;
  const isAllowed = isOne || (seconds !== null && BigInt(count ?? 1) * seconds <= MAX_SECONDS);
  return isAllowed ? { count: Number(count ?? 1), unit } : undefined;
}

function isAggregate(name: string | undefined): name is Aggregate {
  const aggregates: readonly (string | undefined)[] = AGGREGATES;
  return aggregates.includes(name);
}

function badPeriod(reader: Reader, start: number, period: string): Error {
  const hint =
    period === 'auto'
      ? 'a dashboard replaces "auto" by its own interval; write a period such as 5m'
      : 'the periods are second, minute, hour, day, week, month and year, and multiples such as 30s, 5m, 6h, 7d and 2w';
  return lqlError('bad_chart', `"${period}" is not a period`, reader.position(start), { hint });
}

function badChart(reader: Reader, start: number): Error {
  reader.offset = start;
  reader.match(/[^\p{White_Space}]+/uy);
  return lqlError('bad_chart', 'this chart clause cannot be read', reader.position(start), { hint: HINT });
}
