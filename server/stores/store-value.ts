/** Values of results, as every store returns them. */
import type { OutputType } from '#compiler/store';

export type OutputKind = OutputType['kind'];

/** Values by the kind of their logical type; each may be null, too. */
export interface ValuesByKind {
  readonly STRING: string;
  readonly INT64: bigint;
  readonly FLOAT64: number;
  readonly BOOL: boolean;
  /** Microseconds since 1970. */
  readonly TIMESTAMP: bigint;
  readonly DATETIME: bigint;
  /** Days since 1970. */
  readonly DATE: number;
  /** Text, as in the result. */
  readonly TIME: string;
  readonly INTERVAL: string;
  /** Base64 text. */
  readonly BYTES: string;
  /** JSON text. */
  readonly JSON: string;
  readonly RECORD_TEXT: string;
  readonly ARRAY: readonly StoreValue[];
  /** Values in the order of the fields. */
  readonly STRUCT: readonly StoreValue[];
}

export type StoreValue = string | bigint | number | boolean | null | readonly StoreValue[];

type ValueOf<K extends OutputKind> = ValuesByKind[K];

/**
 * Accepts any value of a column whose values have the given kind. The readers of the stores check each value against
 * the type of its column, so nothing is checked here.
 * @param use called with values that are not null
 */
export function ofKind<K extends OutputKind, R>(_kind: K, use: (value: ValueOf<K>) => R): (value: StoreValue) => R {
  return use as (value: StoreValue) => R;
}

/** The values of a column whose values have the given kind. */
export function valuesOfKind<K extends OutputKind>(
  _kind: K,
  values: readonly StoreValue[]
): readonly (ValueOf<K> | null)[] {
  return values as readonly (ValueOf<K> | null)[];
}
