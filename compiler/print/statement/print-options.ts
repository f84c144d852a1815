/** What a statement is printed for. */
import type { ExtentOf } from '../../catalog/catalog';
import type { NarrowedScans } from '../reads/print-scan';
import type { StoreSql } from '../store-sql';

export interface PrintOptions {
  readonly store: StoreSql;
  /** Caps the rows of the result. */
  readonly limit: number;
  /** Time of the request, microseconds since 1970. */
  readonly nowMicros: number;
  readonly narrowed?: NarrowedScans | undefined;
  /** @default nothing is known of any part */
  readonly extentOf?: ExtentOf | undefined;
}
