/**
 * Catalog: the compiler's view of the store, with sources, their columns and nested fields, and the parts (one per UTC
 * day) that contain them. Immutable; the store creates a new one whenever its schema grows.
 *
 * Physical layout: one typed column per leaf path, a BOOL presence column per nested record, and a JSON text column
 * with `metadata` in object form (a record is an object, never an array of one; a list of records is an array). On
 * DuckDB a part is the table of one day, on ClickHouse the one table of its source.
 */
import type { ScalarType, TenantPlace } from '#contract/events/source';

/** SQL dialect of a store. */
export type StoreDialect = 'duckdb' | 'clickhouse';

export interface Catalog {
  readonly dialect: StoreDialect;
  readonly sources: readonly CatalogSource[];
}

export interface CatalogSource {
  readonly name: string;
  readonly aliases: readonly string[];
  /**
   * Columns outside of metadata, in order: id STRING, timestamp TIMESTAMP, event_message STRING, then the declared
   * ones.
   */
  readonly columns: readonly CatalogColumn[];
  readonly metadata: CatalogRecord;
  /** Name of the JSON text column of metadata, which is never null. */
  readonly metadataText: string;
  /** Location of an event's tenant; null: the source has no tenants. */
  readonly tenant: TenantPlace | null;
  /** Dotted paths below metadata declared in `sources.yaml`. */
  readonly declaredFields: readonly string[];
  /** Newest day first; empty before the first event. */
  readonly parts: readonly CatalogPart[];
}

export interface CatalogColumn {
  readonly name: string;
  readonly type: ScalarType | 'TIMESTAMP';
}

/**
 * A part as a table of the store. Parts may have the same times: on DuckDB, a day can have a sealed and an open one.
 */
export interface CatalogPart {
  readonly table: string;
  /** Attached database that has the table. @default the one that the store opens first */
  readonly database?: string;
  /** Its events have fromMicros <= timestamp < toMicros, in microseconds since 1970. */
  readonly fromMicros: number;
  readonly toMicros: number;
  /** Physical column name -> type stored in this part. An absent column reads as NULL. */
  readonly columns: ReadonlyMap<string, PhysicalType>;
  /** JSON column that contains some of `columns` as paths; null: all are real columns. */
  readonly json: JsonColumn | null;
  /** @default the part has no short text */
  readonly rest?: RestText;
  /** Reads these rows only, which do not overlap. @default all rows */
  readonly rows?: readonly RowRange[];
  /** Reads the rows of these tenants only. @default of all */
  readonly ofTenants?: PartTenants;
  /** Texts in the values of columns, in every row that is read. @default none is known */
  readonly commonTexts?: readonly CommonText[];
  /** Physical columns of texts with an index of the store on their pieces. @default none */
  readonly indexed?: ReadonlySet<string>;
  /** @default every column of texts is stored */
  readonly composed?: ComposedColumn;
}

/** Constants, and columns of texts or integers whose values are between them; NULL is an empty text. */
export type Composition = readonly (string | { readonly column: string })[];

/** A column of texts that most rows do not store: it is composed where it is read. */
export interface ComposedColumn {
  readonly column: string;
  readonly of: Composition;
  /** Column with the texts that are composed in another way; NULL in other rows. */
  readonly others: string;
}

/** What is known of a part at the moment: what a query reads first depends on it, what it finds does not. */
export interface PartExtent {
  /** An estimate. */
  readonly rows: number;
  /** Time of its newest event, microseconds since 1970; null: not known. */
  readonly newestMicros: number | null;
}

/** Null: nothing is known. */
export type ExtentOf = (part: CatalogPart) => PartExtent | null;

/** Rows of a part by their numbers, which do not change. */
export interface RowRange {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** Rows from `to` on belong to it, too; their number is not known. */
  readonly isOpen?: true;
}

export interface PartTenants {
  /** Physical column of type STRING. */
  readonly column: string;
  /** Null: events without a tenant. */
  readonly values: readonly (string | null)[];
  /** Number of their rows. */
  readonly rows: number;
}

export interface CommonText {
  /** Physical column of type STRING. */
  readonly column: string;
  readonly text: string;
}

/** A column of JSON text that has the values of the metadata at most paths, and is shorter than the whole text. */
export interface RestText {
  readonly column: string;
  /** Paths whose values are in other columns only. The text lacks them, and every record above them. */
  readonly inColumns: readonly (readonly string[])[];
}

/** A column of ClickHouse's JSON type, whose values keep their original types. */
export interface JsonColumn {
  readonly name: string;
  /**
   * Path (the whole physical column name) -> types of the stored values, narrowest first. After a field is widened,
   * older values keep their narrower types: `INT64, STRING` reads the integer where it is present, else the text.
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
  /** A list of records, read from the JSON text. */
  | ({ readonly kind: 'records' } & CatalogFields);

/** A single record: logically an array of length 0 or 1. */
export interface CatalogRecord extends CatalogFields {
  readonly kind: 'record';
  /** BOOL column that is true where the record is present; null for metadata, which always is, and below lists. */
  readonly presence: string | null;
}

export interface CatalogFields {
  readonly fields: ReadonlyMap<string, CatalogField>;
  /** Fields that can be read by name but are not listed. */
  readonly hidden?: ReadonlySet<string>;
  /** True when events may have further fields that got no name, since their source has no room for them. */
  readonly isFull?: true;
}
