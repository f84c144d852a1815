/** Example queries, inserted by a click. They read tables of the endpoint in the panel's time range. */
import type { DescribedTable } from '#contract/queries/description';
import { exampleTexts } from '../language/example-texts';
import { GRAFANA_CLAUSES } from '../language/time-clauses';
import type { LogEndpointsQuery } from '../types';

export interface ExampleQuery {
  readonly title: string;
  readonly query: Pick<LogEndpointsQuery, 'mode' | 'sql' | 'lql' | 'format'>;
}

/** @param read table that the current text reads; the examples read it too */
export function exampleQueries(
  mode: 'sql' | 'lql',
  tables: readonly DescribedTable[],
  read?: string
): readonly ExampleQuery[] {
  return exampleTexts(mode, tables, GRAFANA_CLAUSES, read).map(({ title, text, format }) => ({
    title,
    query: { mode, [mode]: text, format },
  }));
}
