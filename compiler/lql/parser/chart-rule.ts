/** Combines the chart clauses of a text: fills in defaults and removes duplicates. */
import { lqlError } from '../errors';
import { LQL_LIMITS } from '../limits';
import type { AggregateRule, BucketRule, ChartRule, LqlPath } from '../rules';
import type { ChartClause } from './read-chart';
import type { Reader } from './reader';

type PlacedClause = ChartClause & { readonly start: number; readonly end: number };

/** Defaults: a chart counts rows, per minute. */
export function chartRule(clauses: readonly PlacedClause[], reader: Reader): ChartRule | null {
  const [first] = clauses;
  const last = clauses.at(-1);
  if (first === undefined || last === undefined) return null;
  const aggregates = new Map<string, AggregateRule>();
  const groups = new Map<string, LqlPath>();
  let bucket: BucketRule | null = null;
  for (const clause of clauses) {
    if (clause.kind === 'bucket') bucket = sameBucket(bucket, clause.rule);
    else if (clause.kind === 'group') addGroup(groups, clause.path);
    else addAggregate(aggregates, clause.rule);
  }
  const position = reader.position(first.start, last.end);
  return {
    aggregates: aggregates.size > 0 ? [...aggregates.values()] : [{ aggregate: 'count', path: null, position }],
    bucket: bucket ?? { count: 1, unit: 'minute', position },
    groups: [...groups.values()],
    position,
  };
}

function sameBucket(known: BucketRule | null, next: BucketRule): BucketRule {
  if (known === null || (known.count === next.count && known.unit === next.unit)) return known ?? next;
  throw lqlError('duplicate_bucket', 'a chart has one period only', next.position, {
    hint: 'keep one c:group_by(t::…)',
  });
}

function addGroup(groups: Map<string, LqlPath>, path: LqlPath): void {
  groups.set(keyOf(path), groups.get(keyOf(path)) ?? path);
  if (groups.size > LQL_LIMITS.maxGroups) {
    throw lqlError('bad_chart', `a chart is grouped by at most ${LQL_LIMITS.maxGroups} fields`, path.position);
  }
}

function addAggregate(aggregates: Map<string, AggregateRule>, rule: AggregateRule): void {
  const key = `${rule.aggregate}:${rule.path === null ? '*' : keyOf(rule.path)}`;
  aggregates.set(key, aggregates.get(key) ?? rule);
  if (aggregates.size > LQL_LIMITS.maxAggregates) {
    const { maxAggregates: maximum } = LQL_LIMITS;
    throw lqlError('too_many_clauses', `a chart has more than ${maximum} aggregates`, rule.position, { maximum });
  }
}

function keyOf({ parts }: LqlPath): string {
  return JSON.stringify(parts.map(({ name }) => name));
}
