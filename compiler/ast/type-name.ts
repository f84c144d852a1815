/** Types as written in CAST, ARRAY<..> and STRUCT<..>. */
import type { Identifier } from './node';

/** `INT64`, `ARRAY<STRING>`, `STRUCT<a INT64, STRING>`. `name` is upper case; the resolver checks it. */
export interface TypeName extends Identifier {
  /** The element of an ARRAY, or the fields of a STRUCT; absent for other types. */
  readonly parts?: readonly TypePart[];
}

export interface TypePart {
  /** Name of a field of a STRUCT, if it has one. */
  readonly name: Identifier | null;
  readonly type: TypeName;
}
