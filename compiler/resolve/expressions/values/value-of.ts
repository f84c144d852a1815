/** Creates values that are not text constants. */
import type { SourcePosition } from '../../../ast';
import type { Value } from '../../../functions/function';
import type { Expr } from '../../../ir/expression';
import { BOOL, type Type } from '../../../ir/types';
import { foldComparison } from '../fold-conditions';

export function valueOf(expr: Expr, type: Type, position: SourcePosition, text: Value['text'] = null): Value {
  return { expr, type, text, position };
}

/** A condition, folded if its operands are constants. */
export function conditionOf(expr: Expr, position: SourcePosition): Value {
  return valueOf(expr.kind === 'call' ? foldComparison(expr) : expr, BOOL, position);
}
