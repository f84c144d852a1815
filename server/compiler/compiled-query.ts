/** The one value that leaves the compiler: store SQL printed from our own tree, its bound values and its output columns. */

import type { QueryWarning } from '#contract/query';

/** A value bound to `$1`, `$2`, ... in order. */
export type BoundValue =
  | { readonly type: 'STRING'; readonly value: string | null }
  | { readonly type: 'INT64'; readonly value: bigint | null }
  | { readonly type: 'FLOAT64'; readonly value: number | null }
  | { readonly type: 'BOOL'; readonly value: boolean | null }
  /** Microseconds since 1970, UTC. */
  | { readonly type: 'TIMESTAMP'; readonly value: bigint | null };

/**
 * The logical type of an output value; encoders are driven by it, never by the store's type.
 * `RECORD_TEXT` is JSON text in object form: with `single` it is written as an array of length 0 or 1, without as an object or null;
 * nested objects in the text are written as arrays of one.
 */
export type OutputType =
  | { readonly kind: 'STRING' | 'INT64' | 'FLOAT64' | 'BOOL' | 'TIMESTAMP' | 'DATETIME' | 'DATE' }
  | { readonly kind: 'RECORD_TEXT'; readonly single: boolean }
  | { readonly kind: 'ARRAY'; readonly element: OutputType }
  | { readonly kind: 'STRUCT'; readonly fields: readonly OutputColumn[] };

export interface OutputColumn {
  readonly name: string;
  readonly type: OutputType;
  /** The dialect's name of the logical type, e.g. `ARRAY<STRUCT<level STRING>>`. */
  readonly typeName: string;
}

/**
 * The names under which a store keeps the fields of a struct, in order: told apart without regard to case, and none that is something
 * else in a JavaScript object, which is what drivers give.
 */
export function storedFieldNames(names: readonly string[]): readonly string[] {
  const used = new Set<string>(['__proto__']);
  return names.map((name, index) => {
    const wanted = name === '' ? `_field_${index + 1}` : name;
    let candidate = wanted;
    for (let n = 1; used.has(candidate.toLowerCase()); n += 1) candidate = `${wanted}_${n}`;
    used.add(candidate.toLowerCase());
    return candidate;
  });
}

/** Store SQL printed from our own tree, and the values bound to `$1`, `$2`, ... */
export interface CompiledStatement {
  readonly sql: string;
  readonly values: readonly BoundValue[];
}

declare const compiled: unique symbol;

/** Only `compile()` makes one; the brand keeps any other text from reaching a store. */
export interface CompiledQuery extends CompiledStatement {
  readonly [compiled]: true;
  /**
   * A query for the newest rows reads the newest part of a source first. These statements read the older parts, newest first: a store
   * runs them in order, in one snapshot, until it has `rowLimit` rows. Their rows come after those it has. Mostly empty.
   */
  readonly older: Iterable<CompiledStatement>;
  /** Rows that the statements give together: the query's own limit, at most `maxRows + 1`, so that truncation is seen. */
  readonly rowLimit: number;
  readonly columns: readonly OutputColumn[];
  readonly maxRows: number;
  /** Of LQL; mostly none. */
  readonly warnings: readonly QueryWarning[];
}
