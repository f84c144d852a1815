/**
 * What the compiler knows of the store: sources, their columns and nested fields, and the parts (one per UTC day) that hold them.
 * A frozen value; the store makes a new one whenever its schema grows.
 *
 * Physical layout: one typed column per leaf path, a BOOL presence column per nested record, and one JSON text column that holds
 * `metadata` in object form (a record is an object, never an array of one; a list of records is an array). On DuckDB a part is the table
 * of one day, on ClickHouse the one table of its source.
 */
import type { ScalarType, TenantPlace } from '#contract/source';

/** Whose SQL the store of a catalog reads. */
export type StoreDialect = 'duckdb' | 'clickhouse';

export interface Catalog {
  readonly dialect: StoreDialect;
  readonly sources: readonly CatalogSource[];
}

export interface CatalogSource {
  readonly name: string;
  readonly aliases: readonly string[];
  /** Own columns in order: id STRING, timestamp TIMESTAMP, event_message STRING, then the declared ones. Without metadata. */
  readonly columns: readonly CatalogColumn[];
  readonly metadata: CatalogRecord;
  /** Name of the JSON text column of metadata; never null in a row. */
  readonly metadataText: string;
  /** Where an event names its tenant; null: the source has no tenants. */
  readonly tenant: TenantPlace | null;
  /** Dotted paths below metadata that `sources.yaml` declares. */
  readonly declaredFields: readonly string[];
  /** Newest day first; empty when nothing was ingested. */
  readonly parts: readonly CatalogPart[];
}

export interface CatalogColumn {
  readonly name: string;
  readonly type: ScalarType | 'TIMESTAMP';
}

/** One table of the store. */
export interface CatalogPart {
  readonly table: string;
  /** Events in it have fromMicros <= timestamp < toMicros (microseconds since 1970). */
  readonly fromMicros: number;
  readonly toMicros: number;
  /** Physical column name -> type as stored in this part. A column absent here reads as NULL. */
  readonly columns: ReadonlyMap<string, PhysicalType>;
  /** Those of `columns` that are no columns of the table but paths of one JSON column; null: all are columns. */
  readonly json: JsonColumn | null;
}

/** A column of ClickHouse's JSON type, whose values keep the types that events brought. */
export interface JsonColumn {
  readonly name: string;
  /**
   * Path, which is the physical column name as a whole -> the types that stored values have, the narrowest first. A field that was widened
   * has older values of narrower types: `INT64, STRING` reads as the one where it is present, else as the text of the other.
   */
  readonly storedAs: ReadonlyMap<string, readonly ScalarType[]>;
}

export type PhysicalType = ScalarType | 'TIMESTAMP' | `ARRAY<${ScalarType}>`;

export type CatalogField =
  | {
      readonly kind: 'leaf';
      readonly type: ScalarType;
      /** Null: kept in the JSON text only. */ readonly column: string | null;
    }
  | { readonly kind: 'list'; readonly element: ScalarType; readonly column: string | null }
  | CatalogRecord
  /** A real list of records: opened from the JSON text. */
  | ({ readonly kind: 'records' } & CatalogFields);

/** A single record: logically an array of length 0 or 1. */
export interface CatalogRecord extends CatalogFields {
  readonly kind: 'record';
  /** The BOOL column that is true where the record is present; null for metadata, which always is, and below lists. */
  readonly presence: string | null;
}

export interface CatalogFields {
  readonly fields: ReadonlyMap<string, CatalogField>;
  /** Names that are read when a caller writes them, and never shown. */
  readonly hidden?: ReadonlySet<string>;
}
