/** `INTERVAL n unit` as an argument, the only place where intervals are allowed. */
import type { CallExpression } from '../../ast';
import { INT64 } from '../../ir/types';
import { UNIT_MONTHS, type TimeUnit } from '../../time/time-units';
import type { CallContext, Value } from '../function';
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
    ctx.fail(
      'bad_unit',
      `${call.name} does not take ${upper}, which is not always equally long`,
      position,
      `units are ${allowed.join(', ')}; for months use DATETIME_ADD or DATETIME_SUB on DATETIME(x)`
    );
  }
  const unit = namedUnit(name, allowed, call.name, ctx, position);
  return { amount: ctx.coerce(ctx.resolve(expression.amount), INT64, 'INTERVAL'), unit };
}
