/** Arguments that are times. */
import type { CallExpression } from '../../../ast';
import { isTime, type Type } from '../../../ir/types';
import { argument, argumentName } from '../../arguments';
import type { CallContext, Value } from '../../function';

/** Keeps TIMESTAMP, DATETIME and DATE; text constants and NULL get the type in the function's name. */
export function timeArgument(call: CallExpression, ctx: CallContext, index: number, natural: Type): Value {
  return timeValue(argument(call, ctx, index), ctx, natural, argumentName(call, index));
}

function timeValue(value: Value, ctx: CallContext, natural: Type, what: string): Value {
  return isTime(value.type) ? value : ctx.coerce(value, natural, what);
}

/** Reinterprets a time as another type, in UTC; a DATE becomes midnight. */
export function retype(value: Value, type: Type, ctx: CallContext): Value {
  if (value.type.kind === type.kind) return value;
  const constant = ctx.constant(value);
  if (constant !== undefined) {
    const converted = convertConstant(constant.value, value.type, type);
    return { ...value, type, text: null, expr: { kind: 'literal', type, value: converted } };
  }
  return { ...value, type, text: null, expr: { kind: 'cast', operand: value.expr, type, safe: false } };
}

const MICROS_PER_DAY = 86_400_000_000n;

function convertConstant(value: string | bigint | number | boolean | null, from: Type, to: Type): bigint | null {
  if (value === null) return null;
  const count = BigInt(value);
  if (from.kind === 'DATE') return count * MICROS_PER_DAY;
  if (to.kind !== 'DATE') return count;
  return count / MICROS_PER_DAY - (count % MICROS_PER_DAY < 0n ? 1n : 0n);
}
