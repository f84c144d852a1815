/** SQL for the lines around a line. */
import { printName, printString } from '../builder/sql/sql-tokens';

export interface LineContext {
  /** From which the line came. */
  readonly table: string;
  /** Its time, whole microseconds since 1970 as text. */
  readonly micros: string;
  readonly id: string | undefined;
  /** The lines strictly after it; else those at its time and before. */
  readonly isAfter: boolean;
  readonly limit: number;
}

export function contextSql({ table, micros, id, isAfter, limit }: LineContext): string {
  return [
    `select id, timestamp, event_message, metadata from ${printName(table)}`,
    `where timestamp ${isAfter ? '>' : '<='} TIMESTAMP_MICROS(${micros})`,
    ...(id === undefined ? [] : [`and id != ${printString(id)}`]),
    `order by timestamp ${isAfter ? 'asc' : 'desc'}, id limit ${limit}`,
  ].join('\n');
}
