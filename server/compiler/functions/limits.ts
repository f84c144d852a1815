/** How much a single call may make. What grows row by row beyond these is stopped by the store while the query runs. */

/** Bytes of text that a call may make out of shorter ones: a store computes some thousand rows at once. */
export const MAX_TEXT_BYTES = 16_384;
/** Stored texts may be longer: maximum growth of a text beyond the longest argument of a call, bytes. */
export const MAX_TEXT_GROWTH_BYTES = 4_096;
/** Elements of a list that SPLIT and REGEXP_EXTRACT_ALL make of one text. */
export const MAX_PARTS = 4_096;
/** Elements of a list that constants describe. */
export const MAX_LIST_LENGTH = 100_000;
/** Elements of a list that is made anew for every row. */
export const MAX_ROW_LIST_LENGTH = 10_000;
/** The number of APPROX_QUANTILES, and the LIMIT of an aggregate. */
export const MAX_QUANTILES = 1_000;
export const MAX_AGGREGATE_LIMIT = 100_000;
/** The number of APPROX_TOP_COUNT. */
export const MAX_TOP = 1_000;
