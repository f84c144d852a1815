/** Log sample: a page of the events behind a query that counts them. */
import type { DescribedTable } from '#contract/queries/description';
import type { EndpointResource } from '#contract/plugin/resources';
import { printName } from '../builder/sql/sql-tokens';
import { lineColumns } from '../language/line-columns';
import { boundedWithout, hasChart } from '../language/lql-clauses';
import type { LogEndpointsQuery } from '../types';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

/** Whether a sample may exist. Not for SQL, whose events are unknown. */
export function mayHaveSample(query: LogEndpointsQuery): boolean {
  if (query.hide || query.format === 'logs' || query.mode === 'sql') return false;
  return query.mode !== 'lql' || hasChart(query.lql ?? '');
}

/** @returns undefined if the events are unknown */
export function logSampleQuery(
  query: LogEndpointsQuery,
  detail: EndpointResource | undefined,
  limit = DEFAULT_LIMIT
): LogEndpointsQuery | undefined {
  const { sql: _sql, lql, ...rest } = query;
  const common = { ...rest, format: 'logs', maxRows: Math.min(limit, MAX_LIMIT) } as const;
  if (query.mode === 'lql') return { ...common, lql: boundedWithout(lql ?? '', 'chart') };
  const tables = (detail?.tables ?? []).filter(isOfEvents);
  const [table] = tables;
  if (!table || tables.length > 1 || isLogQuery(detail)) return undefined;
  return { ...common, mode: 'sql', sql: newestOf(table, common.maxRows) };
}

/** Whether a saved query returns log lines and therefore needs no sample. */
function isLogQuery(detail: EndpointResource | undefined): boolean {
  return detail?.fields.some(({ name }) => name === 'event_message') ?? false;
}

function isOfEvents({ columns }: DescribedTable): boolean {
  return ['id', 'timestamp'].every((wanted) => columns.some(({ name }) => name === wanted));
}

function newestOf({ name, columns }: DescribedTable, limit: number): string {
  return [
    `select ${lineColumns(columns)} from ${printName(name)}`,
    `where $__timeFilter(timestamp) order by timestamp desc limit ${limit}`,
  ].join('\n');
}
