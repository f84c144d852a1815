/** How large a query text and its tree may be. Checked while reading, so that no later stage meets a larger tree. */

export interface ParseLimits {
  /** Length of the text in bytes of UTF-8. */
  readonly maxBytes: number;
  /** Queries, expressions in expressions, unary operators, parentheses and joins that are open at one place. */
  readonly maxDepth: number;
  /** Nodes of the whole tree, each part of a dotted name counting as one. Also bounds the length of operator chains. */
  readonly maxNodes: number;
  /** Joins (commas too) of the whole text. Opening a field, `JOIN UNNEST(a.b)`, is no join in the store and not counted. */
  readonly maxJoins: number;
  /** Branches of all set operations together. */
  readonly maxSetBranches: number;
  /** Values in one IN list. */
  readonly maxInItems: number;
  /** Items of one select list, as written. */
  readonly maxOutputColumns: number;
  /** WITH queries of the whole text. */
  readonly maxCommonTables: number;
}

/** For texts of callers. */
export const AD_HOC_LIMITS: ParseLimits = {
  maxBytes: 64 * 1024,
  maxDepth: 60,
  maxNodes: 5_000,
  maxJoins: 10,
  maxSetBranches: 20,
  maxInItems: 1_000,
  maxOutputColumns: 200,
  maxCommonTables: 20,
};

/** For texts of saved queries, which their owner wrote and which are read once. */
export const DEFINITION_LIMITS: ParseLimits = {
  maxBytes: 256 * 1024,
  maxDepth: 100,
  maxNodes: 20_000,
  maxJoins: 100,
  maxSetBranches: 100,
  maxInItems: 10_000,
  maxOutputColumns: 1_000,
  maxCommonTables: 100,
};
