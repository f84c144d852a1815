/** Descriptions of queries for editors, made without running them. */
import type { SealFault } from '../control';
import type { QueryWarning } from './query';

export interface ValidateResult {
  /** Query text printed in canonical form. */
  readonly canonical: string;
  /**
   * SQL translation of an LQL text, in canonical form. Relative times like `last@15m` are resolved at the time of the
   * request.
   */
  readonly sql?: string;
  readonly fields: readonly { readonly name: string; readonly type: string }[];
  /** Names of declared or referenced `@parameters`, in order of first use. */
  readonly parameters: readonly string[];
  readonly tables: readonly string[];
  /** Warnings of an LQL text. */
  readonly warnings?: readonly QueryWarning[];
}

/** A column of a sandbox table, or a field nested in one. */
export interface DescribedColumn {
  readonly name: string;
  readonly type: string;
  readonly fields?: readonly DescribedColumn[];
}

export interface DescribedTable {
  readonly name: string;
  readonly columns: readonly DescribedColumn[];
}

/** Values of events that a field cannot hold. They are in the JSON text of the metadata; the field reads as NULL. */
export interface FieldMisfits {
  /** Path below metadata, with dots. */
  readonly field: string;
  /** Type of the field. */
  readonly type: string;
  readonly values: number;
}

export interface SourceMisfits {
  /** Values of all fields. */
  readonly values: number;
  /** The fields with the most values. */
  readonly fields: readonly FieldMisfits[];
}

/** Nested fields of a source, which its tenants share, and the columns of some of them. */
export interface FieldUse {
  readonly fields: number;
  readonly max_fields: number;
  readonly columns: number;
  readonly max_columns: number;
  /** The tenants that have added the most fields. Other fields are declared, or of senders without a tenant. */
  readonly tenants: readonly TenantFields[];
}

export interface TenantFields {
  readonly tenant: string;
  readonly fields: number;
  readonly columns: number;
}

/** Field of a source that a saved query reads. */
export interface QueryMisfits extends FieldMisfits {
  readonly source: string;
}

/** What is stored of a source. */
export interface StoredSource {
  readonly name: string;
  /** Declared and observed columns with nested fields. */
  readonly columns: readonly DescribedColumn[];
  readonly events: number;
  /** Bytes on disk, compressed. */
  readonly bytes: number;
  /** Time of the oldest event in microseconds since 1970; null: no events. */
  readonly oldestMicros: number | null;
  readonly newestMicros: number | null;
  /** Days with events, and those of them whose events are all sealed; null: the store has no days. */
  readonly days: { readonly stored: number; readonly sealed: number; readonly sealFault: SealFault | null } | null;
}

export interface DescribeResult {
  /** Output columns of the saved query itself. */
  readonly fields: readonly DescribedColumn[];
  /** The tables that an ad-hoc query may read; empty when the sandbox is off. */
  readonly tables: readonly DescribedTable[];
  /** Sources that the saved query reads, in order of first use. */
  readonly sources: readonly string[];
}

/** Description of a saved query to one caller. */
export interface DescribedEndpoint extends Omit<DescribeResult, 'sources'> {
  /** Misfits of all tenants; absent where a caller must not see their number. */
  readonly misfits?: readonly QueryMisfits[];
}
