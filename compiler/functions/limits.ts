/** Limits for single calls. The store enforces them for each row if the size is not known at compile time. */

/** Maximum bytes of a text that a call creates from shorter ones: a store processes thousands of rows at once. */
export const MAX_TEXT_BYTES = 16_384;
/**
 * Maximum bytes by which a call may lengthen its longest argument, since stored texts may be longer than the limit
 * above.
 */
export const MAX_TEXT_GROWTH_BYTES = 4_096;
/** Maximum number of elements that SPLIT and REGEXP_EXTRACT_ALL create from one text. */
export const MAX_PARTS = 4_096;
/** Maximum number of lines that TO_JSON_STRING writes. DuckDB takes 1.5 s for a million of them. */
export const MAX_LINES = 1_024;
/** Maximum length of a list with constant bounds. */
export const MAX_LIST_LENGTH = 100_000;
/** Maximum length of a list created for each row. */
export const MAX_ROW_LIST_LENGTH = 10_000;
/**
 * Maximum number of steps of lambdas for one row. DuckDB takes 30 to 100 million steps a second, and does not stop
 * within a block of 2,048 rows.
 */
export const MAX_LIST_STEPS = 10_000;
/** Maximum number of quantiles, and maximum LIMIT of an aggregate. */
export const MAX_QUANTILES = 1_000;
export const MAX_AGGREGATE_LIMIT = 100_000;
/** Maximum number of values of APPROX_TOP_COUNT and APPROX_TOP_SUM. */
export const MAX_TOP = 1_000;

/** Maximum number of steps of WITH RECURSIVE that give rows. */
export const MAX_RECURSION_STEPS = 500;
