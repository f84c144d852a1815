/** SQL for the lines around a line. */
import type { DescribedColumn } from '#contract/queries/description';
import { printName, printString } from '../builder/sql/sql-tokens';
import { lineColumns } from './line-columns';

export interface LineContext {
  /** From which the line came. */
  readonly table: string;
  /** Columns of the table, with a `timestamp`; undefined: those of tables of events. */
  readonly columns?: ReadonlyArray<Pick<DescribedColumn, 'name' | 'type'>>;
  /** Its time, whole microseconds since 1970 as text. */
  readonly micros: string;
  readonly id: string | undefined;
  /** Its message, if its id may be none of the table. */
  readonly message?: string;
  /** The lines strictly after it; else those at its time and before. */
  readonly isAfter: boolean;
  readonly limit: number;
}

const EVENT_COLUMNS = [
  { name: 'id', type: 'STRING' },
  { name: 'timestamp', type: 'TIMESTAMP' },
  { name: 'event_message', type: 'STRING' },
  { name: 'metadata', type: 'ARRAY<STRUCT>' },
] as const;

export function contextSql({
  table,
  columns = EVENT_COLUMNS,
  micros,
  id,
  message,
  isAfter,
  limit,
}: LineContext): string {
  const has = (wanted: string): boolean => columns.some(({ name }) => name === wanted);
  const hasId = has('id');
  const at = `TIMESTAMP_MICROS(${micros})`;
  return [
    `select ${lineColumns(columns)} from ${printName(table)}`,
    `where timestamp ${isAfter ? '>' : '<='} ${at}`,
    ...(id === undefined || !hasId ? [] : [`and id != ${printString(id)}`]),
    ...(isAfter || message === undefined || !has('event_message')
      ? []
      : [`and not (timestamp = ${at} and event_message = ${printString(message)})`]),
    `order by timestamp ${isAfter ? 'asc' : 'desc'}${hasId ? ', id' : ''} limit ${limit}`,
  ].join('\n');
}
