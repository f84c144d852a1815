/** Example queries, inserted by a click. They read tables of the endpoint in the panel's time range. */
import type { DescribedTable } from '#contract/description';
import type { LogEndpointsQuery } from '../types';

export interface ExampleQuery {
  readonly title: string;
  readonly query: Pick<LogEndpointsQuery, 'mode' | 'sql' | 'lql' | 'format'>;
}

/** Path that the fourth example, on HTTP status codes, requires. */
const STATUS_PATH = ['metadata', 'response', 'status_code'];

/** @param read table that the current text reads; the examples read it too */
export function exampleQueries(
  mode: 'sql' | 'lql',
  tables: readonly DescribedTable[],
  read?: string
): readonly ExampleQuery[] {
  const table = tables.find(({ name }) => name.toLowerCase() === read?.toLowerCase()) ?? tables[0];
  if (!table) return [];
  const hasStatus = holds(table.columns, STATUS_PATH);
  const from = table.name;
  if (mode === 'lql')
    return [
      lql('Newest events', `f:${from} $__timeFilter`, 'logs'),
      lql('Events that mention a word', `f:${from} $__timeFilter error`, 'logs'),
      lql('Events over time', `f:${from} $__timeFilter c:count(*) c:group_by($__timeGroup)`, 'time_series'),
      ...(hasStatus ? [lql('Server errors', `f:${from} $__timeFilter m.response.status_code:>=500`, 'logs')] : []),
    ];
  return [
    sql(
      'Newest events',
      `select timestamp, event_message, metadata\nfrom ${from}\nwhere $__timeFilter(timestamp)\norder by timestamp desc\nlimit 100`,
      'logs'
    ),
    sql(
      'Events over time',
      `select $__timeGroup(timestamp) as time, count(*) as events\nfrom ${from}\nwhere $__timeFilter(timestamp)\ngroup by time\norder by time`,
      'time_series'
    ),
    ...(hasStatus
      ? [
          sql(
            'Events by status',
            `select rs.status_code, count(*) as events\nfrom ${from}\n  cross join unnest(metadata) as m\n  cross join unnest(m.response) as rs\nwhere $__timeFilter(timestamp)\ngroup by rs.status_code\norder by events desc`,
            'table'
          ),
        ]
      : []),
  ];
}

function sql(title: string, text: string, format: LogEndpointsQuery['format']): ExampleQuery {
  return { title, query: { mode: 'sql', sql: text, format } };
}

function lql(title: string, text: string, format: LogEndpointsQuery['format']): ExampleQuery {
  return { title, query: { mode: 'lql', lql: text, format } };
}

function holds(columns: DescribedTable['columns'], [name, ...rest]: readonly string[]): boolean {
  const found = columns.find((each) => each.name === name);
  return found !== undefined && (rest.length === 0 || holds(found.fields ?? [], rest));
}
