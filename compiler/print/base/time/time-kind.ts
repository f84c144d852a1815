import type { Type } from '../../../ir/types';
import type { TimeKind } from '../../../time/time-limits';

/** Kind of time of a DATE, DATETIME or TIMESTAMP. */
export function timeKind({ kind }: Type): TimeKind {
  return kind === 'DATE' || kind === 'TIMESTAMP' ? kind : 'DATETIME';
}
