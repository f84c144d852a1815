/** Texts to begin with, over the tables of a saved query. */
import { printLqlTable, printName } from '#compiler/browser';
import type { DescribedTable } from '#contract/queries/description';
import type { TimeClauses } from './time-clauses';

export interface ExampleText {
  readonly title: string;
  readonly text: string;
  readonly format: 'logs' | 'time_series' | 'table';
}

/** Path that the example on HTTP status codes requires. */
const STATUS_PATH = ['metadata', 'response', 'status_code'];

/** @param read table that the current text reads; the examples read it too */
export function exampleTexts(
  language: 'sql' | 'lql',
  tables: readonly DescribedTable[],
  clauses: TimeClauses,
  read?: string
): readonly ExampleText[] {
  const table = tables.find(({ name }) => name.toLowerCase() === read?.toLowerCase()) ?? tables[0];
  if (!table) return [];
  const hasStatus = holds(table.columns, STATUS_PATH);
  return language === 'lql' ? lqlTexts(table.name, hasStatus, clauses) : sqlTexts(table.name, hasStatus, clauses);
}

function lqlTexts(table: string, hasStatus: boolean, { lqlFilter, lqlBucket }: TimeClauses): readonly ExampleText[] {
  const from = `f:${printLqlTable(table)}${lqlFilter === null ? '' : ` ${lqlFilter}`}`;
  return [
    { title: 'Newest events', text: from, format: 'logs' },
    { title: 'Events that mention a word', text: `${from} error`, format: 'logs' },
    { title: 'Events over time', text: `${from} c:count(*) c:group_by(${lqlBucket})`, format: 'time_series' },
    ...(hasStatus
      ? [{ title: 'Server errors', text: `${from} m.response.status_code:>=500`, format: 'logs' } as const]
      : []),
  ];
}

function sqlTexts(table: string, hasStatus: boolean, { sqlFilter, sqlBucket }: TimeClauses): readonly ExampleText[] {
  const from = `from ${printName(table)}`;
  const where = sqlFilter === null ? '' : `\nwhere ${sqlFilter}`;
  return [
    {
      title: 'Newest events',
      text: `select timestamp, event_message, metadata\n${from}${where}\norder by timestamp desc\nlimit 100`,
      format: 'logs',
    },
    {
      title: 'Events over time',
      text: `select ${sqlBucket} as time, count(*) as events\n${from}${where}\ngroup by time\norder by time`,
      format: 'time_series',
    },
    ...(hasStatus
      ? [
          {
            title: 'Events by status',
            text: `select rs.status_code, count(*) as events\n${from}\n  cross join unnest(metadata) as m\n  cross join unnest(m.response) as rs${where}\ngroup by rs.status_code\norder by events desc`,
            format: 'table',
          } as const,
        ]
      : []),
  ];
}

function holds(columns: DescribedTable['columns'], [name, ...rest]: readonly string[]): boolean {
  const found = columns.find((each) => each.name === name);
  return found !== undefined && (rest.length === 0 || holds(found.fields ?? [], rest));
}
