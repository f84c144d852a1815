/** Values that a statement is run with. */

/** A value bound to `$1`, `$2`, ... in order. */
export type BoundValue =
  | { readonly type: 'STRING'; readonly value: string | null }
  | { readonly type: 'INT64'; readonly value: bigint | null }
  | { readonly type: 'FLOAT64'; readonly value: number | null }
  | { readonly type: 'BOOL'; readonly value: boolean | null }
  /** Microseconds since 1970, UTC. */
  | { readonly type: 'TIMESTAMP'; readonly value: bigint | null };
