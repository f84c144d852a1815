/** CAST and SAFE_CAST. */
import type { CastExpression } from '../../ast';
import type { Value } from '../../functions/function';
import type { Expr } from '../../ir/expression';
import { shortTypeName, type Type } from '../../ir/types';
import { castHint, castType, isCastable } from '../types/cast-types';
import { isRecordLike, parseConstant } from '../types/coerce';
import { failure } from '../failure';
import { constantOf, nullOf } from './fold-conditions';
import { constantLike } from './resolve-constant';
import type { ExpressionResolver } from './resolve-expression';
import { valueOf } from './value-of';

export function resolveCast(r: ExpressionResolver, expression: CastExpression): Value {
  const type = castType(expression.type);
  const value = r.resolve(expression.operand);
  if (isRecordLike(value.type)) {
    throw failure(
      'type_mismatch',
      `cannot cast ${shortTypeName(value.type)} to ${shortTypeName(type)}`,
      expression.position,
      {
        hint: 'use TO_JSON_STRING, or open the array with CROSS JOIN UNNEST(...) AS x and cast its fields',
      }
    );
  }
  if (value.type.kind === type.kind) return { ...value, position: expression.position, text: null };
  if (value.type.kind === 'NULL') return valueOf(nullOf(type), type, expression.position);
  if (!isCastable(value.type, type)) {
    throw failure(
      'type_mismatch',
      `cannot cast ${shortTypeName(value.type)} to ${shortTypeName(type)}`,
      expression.position,
      castHint(value.type, type)
    );
  }
  const folded = castConstant(value, type);
  if (folded !== undefined) return valueOf(folded, type, expression.position);
  const expr: Expr = { kind: 'cast', operand: value.expr, type, safe: expression.safe };
  return valueOf(expr, type, expression.position);
}

/** Converts valid text constants immediately, so that bounds and guards can be folded. */
function castConstant(value: Value, type: Type): Expr | undefined {
  const constant = constantOf(value.expr);
  if (constant === undefined || value.type.kind !== 'STRING' || type.kind === 'STRING') return undefined;
  if (constant.value === null) return nullOf(type);
  const text = String(constant.value);
  // Unlike numbers, true and false may have no space around them.
  const conversion = value.text === 'parameter' ? 'parameter' : 'cast';
  const parsed = type.kind === 'BOOL' && text.trim() !== text ? undefined : parseConstant(text, type, conversion);
  if (parsed === undefined) return undefined;
  return constantLike(value.expr, parsed, type);
}
