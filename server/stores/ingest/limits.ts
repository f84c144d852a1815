/** Limits of ingestion. Each keeps one caller's events from costing every reader of a source. */

/** Records inside one another below metadata; wrapping arrays do not count. */
export const MAX_RECORD_DEPTH = 20;
/** A longer key stays in the JSON text and is no field. */
export const MAX_KEY_BYTES = 256;
export const MAX_ID_BYTES = 1024;
/**
 * Fields of a source that have a typed column. Later ones are read from the JSON text. Each column of a table that is written to takes
 * half a megabyte of the store's memory until the next checkpoint (measured), so that a thousand would fill it.
 */
export const MAX_COLUMNS = 400;
/** Of those, made by one batch; its further new fields are read from the JSON text for good. */
export const MAX_NEW_COLUMNS_PER_BATCH = 200;
/** Fields of a source that have a name and a type. Later ones stay in the JSON text and cannot be queried by name. */
export const MAX_FIELDS = 5_000;
