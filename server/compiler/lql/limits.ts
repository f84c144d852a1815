/** How large an LQL text may be. Checked while reading, so that no later stage meets a larger query. */
export const LQL_LIMITS = {
  /** Length of the text in bytes of UTF-8. */
  maxBytes: 8 * 1024,
  maxClauses: 100,
  maxSelects: 50,
  maxAggregates: 10,
  /** Extra fields that a chart is grouped by, beside the time bucket. */
  maxGroups: 2,
  /** Values of one `in(…)`. */
  maxInItems: 1_000,
  /** Parts of one dotted path. */
  maxPathParts: 32,
} as const;
