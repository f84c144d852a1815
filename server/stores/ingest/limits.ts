/** Limits of ingestion, which keep the events of one caller from slowing down every reader of a source. */

/** Maximum bytes of a field's key. A value with a longer key stays in the JSON text and is no field. */
export const MAX_KEY_BYTES = 256;
export const MAX_ID_BYTES = 1024;
/**
 * Maximum fields of a source with a typed column. Later ones are read from the JSON text. Each column of a table that
 * is written to takes half a megabyte of the store's memory until the next checkpoint (measured), so a thousand would
 * fill it.
 */
export const MAX_COLUMNS = 400;
/** Maximum columns created by one batch; its further new fields are permanently read from the JSON text. */
export const MAX_NEW_COLUMNS_PER_BATCH = 200;
/**
 * Maximum fields of a source with a name and a type. Later ones stay in the JSON text and cannot be queried by name.
 */
export const MAX_FIELDS = 5_000;
/**
 * The last half of the fields, and of the columns, is for tenants with fewer than this share of them: 250 fields and 20
 * columns, which a product's own events rarely need, and which ten tenants can have after one has taken the first half.
 */
export const FEW_OF_ALL = 1 / 20;
/**
 * Maximum lists of records around a field. What is nested in more stays in the JSON text, without a name in queries:
 * DuckDB takes twice the time to bind a statement that writes lists of records as JSON for each list in a list (20
 * lists would take 20 seconds).
 */
export const MAX_LISTS = 8;
