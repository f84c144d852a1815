/** Operators between a path and a value. */
import type { Reader } from './reader';

/** Alternatives are ordered longest first. */
const OPERATOR = /:(?:>=|<=|>|<|~|@>~|@>|!=)?/y;

export type Operator = ':' | ':!=' | ':>' | ':>=' | ':<' | ':<=' | ':~' | ':@>' | ':@>~';

export function readOperator(reader: Reader): Operator | null {
  return (reader.match(OPERATOR)?.[0] as Operator | undefined) ?? null;
}
