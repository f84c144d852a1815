/** Finds the column `timestamp` for time filters and charts. */
import type { Expression, SourcePosition } from '../../ast';
import { shortTypeName, type Type } from '../../ir/types';
import { lqlError } from '../errors';
import { withArticle } from './access';
import type { AliasedTable } from './table';
import { path } from './tree';

export interface TimestampColumn {
  readonly value: Expression;
  /** TIMESTAMP or DATETIME. */
  readonly type: Type;
}

/** @throws no_timestamp when the column is missing or not a TIMESTAMP or DATETIME */
export function timestampColumn(table: AliasedTable, position: SourcePosition, what: string): TimestampColumn {
  const type = table.columns.find(({ name }) => name === 'timestamp')?.type;
  if (type?.kind === 'TIMESTAMP' || type?.kind === 'DATETIME') {
    return { value: path([table.alias, 'timestamp'], position), type };
  }
  const problem = type === undefined ? 'has none' : `has ${withArticle(shortTypeName(type))} there`;
  throw lqlError(
    'no_timestamp',
    `${what} needs a column "timestamp" of time, and table ${table.name} ${problem}`,
    position
  );
}
