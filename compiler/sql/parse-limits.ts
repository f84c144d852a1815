/** Limits for query texts and their trees, checked while parsing, so that later stages are bounded. */

export interface ParseLimits {
  /** Maximum size of the text in bytes of UTF-8. */
  readonly maxBytes: number;
  /** Maximum nesting of queries, expressions, unary operators, parentheses and joins. */
  readonly maxDepth: number;
  /** Maximum number of nodes; each part of a dotted name is one. Also bounds the length of operator chains. */
  readonly maxNodes: number;
  /**
   * Maximum number of joins, commas included. Opening a field (`JOIN UNNEST(a.b)`) needs no join in the store and is
   * not counted.
   */
  readonly maxJoins: number;
  /**
   * Maximum number of subqueries in expressions. DuckDB plans those of one SELECT as joins, in a time that grows with
   * the fourth power of their number.
   */
  readonly maxSubqueries: number;
  /** Maximum number of branches of all set operations together. */
  readonly maxSetBranches: number;
  /** Maximum number of values in one IN list. */
  readonly maxInItems: number;
  /** Maximum number of items in one select list, as written. */
  readonly maxOutputColumns: number;
  /** Maximum number of WITH queries. */
  readonly maxCommonTables: number;
  /** Maximum number of pipe operators. */
  readonly maxPipeOperators: number;
}

/** Limits for ad-hoc texts. */
export const AD_HOC_LIMITS: ParseLimits = {
  maxBytes: 64 * 1024,
  maxDepth: 60,
  maxNodes: 5_000,
  maxJoins: 10,
  maxSubqueries: 100,
  maxSetBranches: 20,
  maxInItems: 1_000,
  maxOutputColumns: 200,
  maxCommonTables: 20,
  maxPipeOperators: 250,
};

/** Limits for saved queries, which are trusted and parsed once. */
export const DEFINITION_LIMITS: ParseLimits = {
  maxBytes: 256 * 1024,
  maxDepth: 100,
  maxNodes: 20_000,
  maxJoins: 100,
  maxSubqueries: 100,
  maxSetBranches: 100,
  maxInItems: 10_000,
  maxOutputColumns: 1_000,
  maxCommonTables: 100,
  maxPipeOperators: 1_000,
};
