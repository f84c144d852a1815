/** Array functions. */
import { MAX_LIST_LENGTH, MAX_ROW_LIST_LENGTH } from '../../../../functions/limits';
import type { Expr } from '../../../../ir/expression';
import type { ArrayOps } from '../../../../ir/operations/ops';
import type { Type } from '../../../../ir/types';
import { isConstant } from '../../../../ir/operations/call';
import type { CallPrinters, Operand } from '../../../dialect/dialect';
import { elements, typedList } from '../../values/lists';
import { bindOnce, nameOnce } from '../../values/bind-once';
import { failsWhen, fromMicros, int, micros } from '../../values/literals';
import { joins } from '../text/joins';
import { unitMicros } from '../../../../time/time-units';

export const arrays: CallPrinters<ArrayOps> = {
  array_concat: (operands) =>
    bindOnce(operands, (...lists) => {
      const missing = lists.map((list) => `${list} IS NULL`).join(' OR ');
      return `if(${missing}, NULL, tuple(arrayConcat(${lists.map(elements).join(', ')})))`;
    }),
  array_reverse: (operands) =>
    bindOnce(operands, (list) => `if(${list} IS NULL, NULL, tuple(arrayReverse(${elements(list)})))`),
  array_to_string: joins.texts,
  generate_array: (operands, { args, type }) => {
    const isFloat = type.kind === 'ARRAY' && type.element.kind === 'FLOAT64';
    return series(operands, args, type, isFloat ? ofDoubles : ofWhole);
  },
  generate_timestamp_array: ([from, to, steps], { args, type, options }) => {
    const unit = int(unitMicros(options.unit));
    const counts = [
      { ...from, sql: micros(from.sql) },
      { ...to, sql: micros(to.sql) },
      { ...steps, sql: `(${steps.sql} * ${unit})` },
    ] as const;
    return series(counts, args, type, (a, b, step) => ({
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

type MakeSteps = (a: string, b: string, step: string) => Steps;

const ofWhole: MakeSteps = (a, b, step) => ({
  ...wholeSteps(a, b, step),
  item: (i) => `(${a} + ${i} * ${step})`,
});

function wholeSteps(a: string, b: string, step: string): Pick<Steps, 'count'> {
  const distance = `(toInt128(${b}) - ${a})`;
  const away = `sign(${distance}) * sign(${step}) < 0`;
  return { count: `if(${away}, toInt128(-1), ifNull(intDivOrNull(${distance}, ${step}), 0))` };
}

/** Computes each element from the start, so that rounding errors do not accumulate. */
const ofDoubles: MakeSteps = (a, b, step) => ({
  count: `floor((toFloat64(${b}) - ${a}) / ${step})`,
  item: (i) => `(toFloat64(${a}) + ${i} * ${step})`,
});

/** NULL when an argument is NULL. Constant lengths are checked at compile time, others for each row. */
function series(
  operands: readonly [Operand, Operand, Operand],
  args: readonly Expr[],
  type: Type,
  make: MakeSteps
): string {
  const limit = args.every(isConstant) ? MAX_LIST_LENGTH : MAX_ROW_LIST_LENGTH;
  return bindOnce(operands, (a, b, step) =>
    nameOnce(`tuple(${a}, ${b}, ${step}, ${make(a, b, step).count})`, (v) => {
      const missing = [1, 2, 3].map((n) => `${v}.${n} IS NULL`).join(' OR ');
      const last = `toInt64(least(greatest(ifNull(${v}.4, -1), -1), ${limit}))`;
      const item = make(`${v}.1`, `${v}.2`, `${v}.3`).item('i');
      return (
        `(CASE WHEN ${missing} THEN NULL WHEN ${failsWhen(`${v}.3 = 0`, 'list_step')} THEN NULL ` +
        `WHEN ${failsWhen(`${v}.4 >= ${limit}`, 'list_too_long')} THEN NULL ` +
        `ELSE ${typedList(`arrayMap(i -> ${item}, range(${last} + 1))`, type)} END)`
      );
    })
  );
}
