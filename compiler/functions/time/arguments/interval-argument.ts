/** `INTERVAL n unit` as an argument. */
import type { CallExpression, IntervalExpression } from '../../../ast';
import { INT64 } from '../../../ir/types';
import { UNIT_MONTHS, type TimeUnit } from '../../../time/time-units';
import { wholeNumber } from '../../arguments';
import type { CallContext, Value } from '../../function';
import { namedUnit } from './unit-argument';

export interface IntervalArgument {
  /** INT64, a constant or not. */
  readonly amount: Value;
  readonly unit: TimeUnit;
}

/** @throws type_mismatch, bad_unit */
export function intervalArgument(
  call: CallExpression,
  ctx: CallContext,
  index: number,
  allowed: readonly TimeUnit[]
): IntervalArgument {
  const expression = call.args[index];
  if (expression?.kind !== 'interval') {
    return ctx.fail(
      'type_mismatch',
      `argument ${index + 1} of ${call.name} expects an interval`,
      expression?.position ?? call.position,
      'write INTERVAL 5 MINUTE'
    );
  }
  const { name, position } = expression.unit;
  const upper = name.toUpperCase() as TimeUnit;
  if (UNIT_MONTHS[upper] !== undefined && !allowed.includes(upper)) {
    const instead = call.name.endsWith('_BUCKET')
      ? `${call.name.replace('_BUCKET', '_TRUNC')}(x, ${upper})`
      : 'DATETIME_ADD or DATETIME_SUB on DATETIME(x)';
    ctx.fail(
      'bad_unit',
      `${call.name} does not take ${upper}, which is not always equally long`,
      position,
      `units are ${allowed.join(', ')}; for months use ${instead}`
    );
  }
  const unit = namedUnit(name, allowed, call.name, ctx, position);
  return { amount: amountOf(expression, ctx), unit };
}

/** A cast of a fraction would round it to another amount. @throws type_mismatch */
export function wholeAmount(ctx: Pick<CallContext, 'coerce' | 'fail'>, value: Value): Value {
  if (value.type.kind === 'FLOAT64') {
    const message = 'INTERVAL expects INT64, found FLOAT64';
    ctx.fail('type_mismatch', message, value.position, 'use a smaller unit: INTERVAL 30 MINUTE for half an hour');
  }
  return ctx.coerce(value, INT64, 'INTERVAL');
}

/** Digits in quotes are a number. */
function amountOf({ amount, to }: IntervalExpression, ctx: CallContext): Value {
  if (to !== null) {
    ctx.fail('bad_unit', 'an interval with TO is not an argument', to.position, 'write time + INTERVAL ... TO ...');
  }
  const text = amount.kind === 'literal' && amount.literal.type === 'string' ? amount.literal.value : '';
  const value = ctx.resolve(amount);
  if (!/^[+-]?\d{1,18}$/.test(text)) return wholeAmount(ctx, value);
  return { ...value, expr: wholeNumber(BigInt(text)), type: INT64, text: null };
}
