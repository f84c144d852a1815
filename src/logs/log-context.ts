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
      ...lineOf(row),
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

/** The backend makes ids like these from the content of lines whose query selects none. */
const MADE_ID = /^[0-9a-f]{32}$/;
/** The service accepts no text that is much longer. */
const MAX_MESSAGE = 10_000;

function lineOf({ dataFrame, rowIndex }: Pick<LogRowModel, 'dataFrame' | 'rowIndex'>): {
  readonly id: string | undefined;
  readonly message?: string;
} {
  const valueOf = (wanted: string): unknown =>
    dataFrame.fields.find(({ name }) => name === wanted)?.values[rowIndex] as unknown;
  const [id, message] = [valueOf('id'), valueOf('body')];
  if (typeof id !== 'string' || id === '') return { id: undefined };
  const isNeeded = MADE_ID.test(id) && typeof message === 'string' && message.length <= MAX_MESSAGE;
  return { id, ...(isNeeded ? { message } : {}) };
}
