/** Array functions. */
import { MAX_LIST_LENGTH, MAX_ROW_LIST_LENGTH } from '../../../../functions/limits';
import type { ArrayOps } from '../../../../ir/operations/ops';
import { UNIT_MICROS } from '../../../../time/time-units';
import { isConstant } from '../../../../ir/operations/call';
import { balanced, named, sqlOf } from '../../../base/functions';
import type { CallPrinter, CallPrinters } from '../../../dialect/dialect';
import { bindOnce } from '../../values/bind-once';
import { raise, typeName } from '../../values/literals';
import { joins } from '../text/joins';
import { forLambda } from '../../values/for-lambda';

export const arrays: CallPrinters<ArrayOps> = {
  // || returns NULL when either list is NULL; list_concat would skip it.
  array_concat: (operands) => balanced(sqlOf(operands), '||'),
  array_reverse: named('list_reverse'),
  array_to_string: joins.texts,
  generate_array: (operands, call, mayBeNaN) => {
    const isFloat = call.type.kind === 'ARRAY' && call.type.element.kind === 'FLOAT64';
    return series(isFloat ? ofDoubles : ofWhole)(operands, call, mayBeNaN);
  },
  generate_timestamp_array: (operands, call, mayBeNaN) => {
    const unit = UNIT_MICROS[call.options.unit];
    const ofTimes: Steps = (a, b, n) => {
      const step = `(${n} * CAST(${unit} AS BIGINT))`;
      return {
        count: `(CAST(epoch_us(${b}) AS HUGEINT) - epoch_us(${a})) // ${step}`,
        // A series of dates is a list of timestamps at midnight.
        list: `CAST(generate_series(${a}, ${b}, to_microseconds(${step})) AS ${typeName(call.type)})`,
      };
    };
    return series(ofTimes)(operands, call, mayBeNaN);
  },
};

/** The list, and the number of steps after its first element. */
type Steps = (a: string, b: string, step: string) => { readonly count: string; readonly list: string };

const ofWhole: Steps = (a, b, step) => ({
  count: `(CAST(${b} AS HUGEINT) - ${a}) // ${step}`,
  list: `generate_series(${a}, ${b}, ${step})`,
});

/** Computes each element from the start, so that rounding errors do not accumulate. */
const ofDoubles: Steps = (a, b, step) => {
  const count = `floor((${b} - ${a}) / ${step})`;
  const last = `CAST(least(greatest(${count}, -1), ${MAX_LIST_LENGTH}) AS BIGINT)`;
  return {
    count,
    list: `list_transform(${forLambda(`generate_series(CAST(0 AS BIGINT), ${last})`)}, lambda i: ${a} + i * ${step})`,
  };
};

/** NULL when an argument is NULL. Constant lengths are checked at compile time, others for each row. */
function series(steps: Steps): CallPrinter<'generate_array' | 'generate_timestamp_array'> {
  return (operands, { args, type }) =>
    bindOnce(operands, (a, b, step) => {
      const { count, list } = steps(a, b, step);
      const missing = [a, b, step].map((name) => `${name} IS NULL`).join(' OR ');
      const long = args.every(isConstant)
        ? ''
        : `WHEN ${step} = 0 THEN ${raise('list_step')} WHEN ${count} >= ${MAX_ROW_LIST_LENGTH} THEN ${raise('list_too_long')} `;
      return `(CASE WHEN ${missing} THEN CAST(NULL AS ${typeName(type)}) ${long}ELSE ${list} END)`;
    });
}
