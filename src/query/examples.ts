/** Example queries, inserted by a click. They read tables of the endpoint in the panel's time range. */
import type { DescribedTable } from '#contract/queries/description';
import { exampleTexts } from '../language/example-texts';
import { GRAFANA_CLAUSES, type TimeClauses } from '../language/time-clauses';
import type { LogEndpointsQuery } from '../types';

export interface ExampleQuery {
  readonly title: string;
  readonly query: Pick<LogEndpointsQuery, 'mode' | 'sql' | 'lql' | 'format'>;
}

/** Alert rules have no panel that gives buckets their width, and no rule may lack a number. */
const ALERT_CLAUSES: TimeClauses = {
  ...GRAFANA_CLAUSES,
  sqlBucket: '$__timeGroup(timestamp, 5m, 0)',
  lqlBucket: '$__timeGroup(5m, 0)',
};

/** @param read table that the current text reads; the examples read it too */
export function exampleQueries(
  mode: 'sql' | 'lql',
  tables: readonly DescribedTable[],
  { read, isAlert = false }: { readonly read?: string | undefined; readonly isAlert?: boolean } = {}
): readonly ExampleQuery[] {
  return exampleTexts(mode, tables, isAlert ? ALERT_CLAUSES : GRAFANA_CLAUSES, read).map(({ title, text, format }) => ({
    title,
    query: { mode, [mode]: text, format },
  }));
}
