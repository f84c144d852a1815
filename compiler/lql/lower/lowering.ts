/** Context for lowering one query; collects its warnings. */
import type { QueryWarning } from '#contract/queries/query';
import type { SourcePosition } from '../../ast';
import { placeOf } from '../errors';
import type { AliasedTable } from './table';

export class Lowering {
  readonly warnings: QueryWarning[] = [];

  constructor(
    readonly table: AliasedTable,
    /** Microseconds since 1970. */
    readonly now: () => bigint
  ) {}

  warnEmpty(position: SourcePosition): void {
    this.warn('empty_range', 'the range ends before it begins: nothing is in it', position);
  }

  warn(code: QueryWarning['code'], message: string, position: SourcePosition): void {
    this.warnings.push({ code, message, ...placeOf(position) });
  }
}
