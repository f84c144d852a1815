/** Array functions. */
import type { CallExpr } from '../../../ir/expression';
import type { CallPrinter } from '../../dialect';
import { MAX_LIST_LENGTH, MAX_ROW_LIST_LENGTH } from '../../../functions/limits';
import { UNIT_MICROS, type TimeUnit } from '../../../time/time-units';
import { isConstant, operands } from '../../bind-once';
import { bindOnce } from '../bind-once';
import { raise, typeName } from '../literals';
import { balanced } from './operators';

export const arrays: Readonly<Record<string, CallPrinter>> = {
  // || returns NULL when either list is NULL; list_concat would skip it.
  array_concat: (args) => balanced(args, '||'),
  array_reverse: ([list]) => `list_reverse(${list})`,
  array_to_string: ([list, separator, missing]) =>
    missing === undefined
      ? `array_to_string(${list}, ${separator})`
      : `array_to_string(list_transform(${list}, lambda v: coalesce(v, ${missing})), ${separator})`,
  generate_array: (args, call) =>
    (call.type.kind === 'ARRAY' && call.type.element.kind === 'FLOAT64' ? ofDoubles : ofWhole)(args, call),
  generate_timestamp_array: (args, call) => {
    const unit = UNIT_MICROS[call.options?.['unit'] as TimeUnit];
    return guarded(args, call, (a, b, n) => {
      const step = `(${n} * CAST(${unit} AS BIGINT))`;
      return {
        count: `(CAST(epoch_us(${b}) AS HUGEINT) - epoch_us(${a})) // ${step}`,
        // A series of dates is a list of timestamps at midnight.
        list: `CAST(generate_series(${a}, ${b}, to_microseconds(${step})) AS ${typeName(call.type)})`,
      };
    });
  },
};

function ofWhole(args: readonly string[], call: CallExpr): string {
  return guarded(args, call, (a, b, step) => ({
    count: `(CAST(${b} AS HUGEINT) - ${a}) // ${step}`,
    list: `generate_series(${a}, ${b}, ${step})`,
  }));
}

/** Computes each element from the start, so that rounding errors do not accumulate. */
function ofDoubles(args: readonly string[], call: CallExpr): string {
  return guarded(args, call, (a, b, step) => {
    const count = `floor((${b} - ${a}) / ${step})`;
    const last = `CAST(least(greatest(${count}, -1), ${MAX_LIST_LENGTH}) AS BIGINT)`;
    return { count, list: `list_transform(generate_series(CAST(0 AS BIGINT), ${last}), lambda i: ${a} + i * ${step})` };
  });
}

/** NULL when an argument is NULL. Constant lengths are checked at compile time, others for each row. */
function guarded(
  args: readonly string[],
  { args: exprs, type }: CallExpr,
  make: (a: string, b: string, step: string) => { readonly count: string; readonly list: string }
): string {
  const constant = exprs.every(isConstant);
  return bindOnce(operands(args, exprs), (...names) => {
    const [a = '', b = '', step = ''] = names;
    const { count, list } = make(a, b, step);
    const missing = names.map((name) => `${name} IS NULL`).join(' OR ');
    const long = constant
      ? ''
      : `WHEN ${step} = 0 THEN ${raise('list_step')} WHEN ${count} >= ${MAX_ROW_LIST_LENGTH} THEN ${raise('list_too_long')} `;
    return `(CASE WHEN ${missing} THEN CAST(NULL AS ${typeName(type)}) ${long}ELSE ${list} END)`;
  });
}
