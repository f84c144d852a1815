/** Array functions. */
import { MAX_LIST_LENGTH, MAX_ROW_LIST_LENGTH } from '../../../functions/limits';
import type { CallExpr } from '../../../ir/expression';
import { UNIT_MICROS, type TimeUnit } from '../../../time/time-units';
import { isConstant, operands } from '../../bind-once';
import type { CallPrinter } from '../../dialect';
import { bindOnce, nameOnce } from '../bind-once';
import { elements, typedList } from '../arrays/values';
import { failsWhen, fromMicros, int, micros } from '../literals';

export const arrays: Readonly<Record<string, CallPrinter>> = {
  array_concat: (args, { args: exprs }) =>
    bindOnce(operands(args, exprs), (...lists) => {
      const missing = lists.map((list) => `${list} IS NULL`).join(' OR ');
      return `if(${missing}, NULL, tuple(arrayConcat(${lists.map(elements).join(', ')})))`;
    }),
  array_reverse: (args, { args: exprs }) =>
    bindOnce(
      operands(args, exprs),
      (list) => `if(${list} IS NULL, NULL, tuple(arrayReverse(${elements(String(list))})))`
    ),
  array_to_string: (args, { args: exprs }) =>
    bindOnce(operands(args, exprs), (list, separator, missing) => {
      const texts =
        missing === undefined
          ? `arrayFilter(v -> v IS NOT NULL, ${elements(String(list))})`
          : `arrayMap(v -> ifNull(v, ${missing}), ${elements(String(list))})`;
      const none = [list, separator, missing].filter((x) => x !== undefined).map((x) => `${x} IS NULL`);
      return `if(${none.join(' OR ')}, NULL, arrayStringConcat(${texts}, ifNull(${separator}, '')))`;
    }),
  generate_array: (args, call) =>
    (call.type.kind === 'ARRAY' && call.type.element.kind === 'FLOAT64' ? ofDoubles : ofWhole)(args, call),
  generate_timestamp_array: (args, call) => {
    const unit = int(UNIT_MICROS[String(call.options?.['unit']) as TimeUnit] as bigint);
    const [from, to, steps] = args;
    const counts = [micros(String(from)), micros(String(to)), `(${steps} * ${unit})`];
    return guarded(counts, call, (a, b, step) => ({
      ...wholeSteps(a, b, step),
      item: (i) => fromMicros(`(${a} + ${i} * ${step})`),
    }));
  },
};

interface Steps {
  /** Number of steps after the first element; negative for an empty list. */
  readonly count: string;
  /** Element after a number of steps. */
  item(index: string): string;
}

function ofWhole(args: readonly string[], call: CallExpr): string {
  return guarded(args, call, (a, b, step) => ({ ...wholeSteps(a, b, step), item: (i) => `(${a} + ${i} * ${step})` }));
}

function wholeSteps(a: string, b: string, step: string): Pick<Steps, 'count'> {
  const distance = `(toInt128(${b}) - ${a})`;
  const away = `sign(${distance}) * sign(${step}) < 0`;
  return { count: `if(${away}, toInt128(-1), ifNull(intDivOrNull(${distance}, ${step}), 0))` };
}

/** Computes each element from the start, so that rounding errors do not accumulate. */
function ofDoubles(args: readonly string[], call: CallExpr): string {
  return guarded(args, call, (a, b, step) => ({
    count: `floor((toFloat64(${b}) - ${a}) / ${step})`,
    item: (i) => `(toFloat64(${a}) + ${i} * ${step})`,
  }));
}

/** NULL when an argument is NULL. Constant lengths are checked at compile time, others for each row. */
function guarded(
  args: readonly string[],
  { args: exprs, type }: CallExpr,
  make: (a: string, b: string, step: string) => Steps
): string {
  const limit = exprs.every(isConstant) ? MAX_LIST_LENGTH : MAX_ROW_LIST_LENGTH;
  return bindOnce(operands(args, exprs), (...names) => {
    const [a = '', b = '', step = ''] = names;
    return nameOnce(`tuple(${a}, ${b}, ${step}, ${make(a, b, step).count})`, (v) => {
      const missing = [1, 2, 3].map((n) => `${v}.${n} IS NULL`).join(' OR ');
      const last = `toInt64(least(greatest(ifNull(${v}.4, -1), -1), ${limit}))`;
      const item = make(`${v}.1`, `${v}.2`, `${v}.3`).item('i');
      return (
        `(CASE WHEN ${missing} THEN NULL WHEN ${failsWhen(`${v}.3 = 0`, 'list_step')} THEN NULL ` +
        `WHEN ${failsWhen(`${v}.4 >= ${limit}`, 'list_too_long')} THEN NULL ` +
        `ELSE ${typedList(`arrayMap(i -> ${item}, range(${last} + 1))`, type)} END)`
      );
    });
  });
}
