/** Log context: the lines strictly after a line, or at and before it, by exact time. */
import { LogRowContextQueryDirection, type LogRowModel } from '@grafana/data';
import type { DescribedTable } from '#contract/queries/description';
import { contextSql } from '../language/context-sql';
import type { LogEndpointsQuery } from '../types';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

/** @param table from which the row came; without columns if the service does not return them */
export function logContextQuery(
  row: Pick<LogRowModel, 'timeEpochNs' | 'dataFrame' | 'rowIndex'>,
  query: LogEndpointsQuery,
  { name: table, columns }: Pick<DescribedTable, 'name'> & Partial<DescribedTable>,
  {
    direction,
    limit = DEFAULT_LIMIT,
  }: { readonly direction?: LogRowContextQueryDirection; readonly limit?: number } = {}
): LogEndpointsQuery {
  const isAfter = direction === LogRowContextQueryDirection.Forward;
  const { params: given = {}, filters: _filters, lql: _lql, ...rest } = query;
  // Time bounds of the panel would exclude context beyond its range.
  const params = Object.fromEntries(Object.entries(given).filter(([, value]) => !/^\$\{__(from|to):/.test(value)));
  return {
    ...rest,
    refId: `log-context-${query.refId}`,
    mode: 'sql',
    format: 'logs',
    params,
    sql: contextSql({
      table,
      columns,
      micros: microsOf(row),
      id: rowId(row),
      isAfter,
      limit: Math.min(limit, MAX_LIMIT),
    }),
  };
}

/** Older versions of Grafana round `timeEpochNs` to milliseconds; the frame contains the exact time as text. */
function microsOf({
  timeEpochNs,
  dataFrame,
  rowIndex,
}: Pick<LogRowModel, 'timeEpochNs' | 'dataFrame' | 'rowIndex'>): string {
  const exact: unknown = dataFrame.fields.find(({ name }) => name === 'tsNs')?.values[rowIndex];
  const nanos = typeof exact === 'string' && /^\d+$/.test(exact) ? exact : timeEpochNs;
  return nanos.slice(0, -3) || '0';
}

function rowId({ dataFrame, rowIndex }: Pick<LogRowModel, 'dataFrame' | 'rowIndex'>): string | undefined {
  const id: unknown = dataFrame.fields.find(({ name }) => name === 'id')?.values[rowIndex];
  return typeof id === 'string' && id !== '' ? id : undefined;
}
