/** Limits of LQL texts, checked while parsing, so that later stages are bounded. */
export const LQL_LIMITS = {
  /** Maximum size of the text in bytes of UTF-8. */
  maxBytes: 8 * 1024,
  maxClauses: 100,
  maxSelects: 50,
  maxAggregates: 10,
  /** Maximum number of group fields of a chart, without the time bucket. */
  maxGroups: 2,
  /** Values of one `in(…)`. */
  maxInItems: 1_000,
  /** Parts of one dotted path. */
  maxPathParts: 32,
} as const;
