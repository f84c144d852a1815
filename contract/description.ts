/** What editors learn of a query without running it. */
import type { QueryWarning } from './query';

export interface ValidateResult {
  /** The text printed from our own tree. */
  readonly canonical: string;
  /** Of LQL only: the SQL it stands for, in canonical form. Times like `last@15m` are those of this moment. */
  readonly sql?: string;
  readonly fields: readonly { readonly name: string; readonly type: string }[];
  /** Names of declared or referenced `@parameters`, in order of first use. */
  readonly parameters: readonly string[];
  readonly tables: readonly string[];
  /** Of LQL only. */
  readonly warnings?: readonly QueryWarning[];
}

/** A nested field or column of a sandbox table, for editors. */
export interface DescribedColumn {
  readonly name: string;
  readonly type: string;
  readonly fields?: readonly DescribedColumn[];
}

export interface DescribedTable {
  readonly name: string;
  readonly columns: readonly DescribedColumn[];
}

export interface DescribeResult {
  /** Output columns of the saved query itself. */
  readonly fields: readonly DescribedColumn[];
  /** The named tables that an ad-hoc query may read; empty when the sandbox is off. */
  readonly tables: readonly DescribedTable[];
}
