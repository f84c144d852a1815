import type { BoundExpr } from '../../ir/expression';
import { STRING } from '../../ir/types';

/** A text that is bound to the statement. @param key equal keys share a value */
export function boundText(key: string, value: string): BoundExpr {
  return { kind: 'bound', key, type: STRING, value: { type: 'STRING', value }, failure: null };
}
