/** Operations that combine or reduce lists. */
import { aggregateOf } from '../../../../ir/operations/call';
import type { Expr } from '../../../../ir/expression';
import type { ListOps } from '../../../../ir/operations/ops';
import type { AnyAggregatePrinter, CallPrinter, CallPrinters } from '../../../dialect/dialect';
import { listAggregates } from '../../arrays/aggregates';
import { elements } from '../../values/lists';
import { bindOnce } from '../../values/bind-once';
import { keyOf } from '../../values/keys';
import { castTo, failsWhen } from '../../values/literals';

export const lists: CallPrinters<ListOps> = {
  list_zip: (operands, { type, options }) =>
    castTo(
      bindOnce(operands, (...all) => {
        const missing = all.map((list) => `${list} IS NULL`).join(' OR ');
        const arrays = all.map(elements);
        const lengths = arrays.map((array) => `length(${array})`);
        const differ = lengths.slice(1).map((length) => `${length} <> ${lengths[0]}`);
        const strict =
          options.mode === 'STRICT' && differ.length > 0 ? ` OR ${failsWhen(differ.join(' OR '), 'list_lengths')}` : '';
        const cut = (array: string): string => `arraySlice(${array}, 1, least(${lengths.join(', ')}))`;
        const zipped = options.mode === 'TRUNCATE' ? arrays.map(cut) : arrays;
        return `if(${missing}${strict}, NULL, tuple(arrayZipUnaligned(${zipped.join(', ')})))`;
      }),
      type
    ),
  list_flatten: (operands, { type }) =>
    castTo(
      bindOnce(operands, (list) => {
        const inner = `arrayMap(q -> ${elements('q')}, ${elements(list)})`;
        return `if(${list} IS NULL, NULL, tuple(arrayFlatten(${inner})))`;
      }),
      type
    ),
  list_slice: (operands, { type }) =>
    castTo(
      bindOnce(operands, (list, first, last) => {
        const size = `toInt64(length(${elements(list)}))`;
        const at = (offset: string): string => `(${offset} + if(${offset} < 0, ${size}, 0))`;
        const start = `greatest(${at(first)}, 0)`;
        const count = `greatest(least(${at(last)}, ${size} - 1) - ${start} + 1, 0)`;
        const missing = [list, first, last].map((x) => `${x} IS NULL`).join(' OR ');
        const part = `arraySlice(${elements(list)}, ifNull(least(${start}, ${size}), 0) + 1, ifNull(${count}, 0))`;
        return `if(${missing}, NULL, tuple(${part}))`;
      }),
      type
    ),
  list_sum: reduced('sum'),
  list_avg: reduced('avg'),
  list_min: reduced('min'),
  list_max: reduced('max'),
  list_is_distinct: (operands) =>
    bindOnce(operands, (list) => {
      const { type } = operands[0].expr;
      const value = type.kind === 'ARRAY' ? keyOf('q', type.element) : 'q';
      const values = `arrayMap(q -> tuple(${value}), ${elements(list)})`;
      return `if(${list} IS NULL, NULL, length(arrayDistinct(${values})) = length(${values}))`;
    }),
  range_bucket: (operands, { safe }) =>
    bindOnce(operands, (point, list) => {
      const { type } = operands[1].expr;
      const isFloat = type.kind === 'ARRAY' && type.element.kind === 'FLOAT64';
      const isMissing = isFloat ? 'q IS NULL OR isNaN(q)' : 'q IS NULL';
      const items = elements(list);
      const isBad = `arrayExists(q -> ${isMissing}, ${items}) OR arraySort(${items}) != ${items}`;
      const fails = safe === true ? `(${isBad})` : failsWhen(`${point} IS NOT NULL AND (${isBad})`, 'list_order');
      const count = `toInt64(arrayCount(q -> ifNull(q <= ${point}, FALSE), ${items}))`;
      return `if(${point} IS NULL OR ${list} IS NULL, NULL, if(${fails}, NULL, ${count}))`;
    }),
};

/** Applies an aggregate to the elements of a list. */
function reduced(fn: 'sum' | 'avg' | 'min' | 'max'): CallPrinter<'list_sum' | 'list_avg' | 'list_min' | 'list_max'> {
  return ([list], { type, safe }, mayBeNaN) => {
    const element = list.expr.type.kind === 'ARRAY' ? list.expr.type.element : type;
    const item: Expr = { kind: 'element', name: 'q', of: 'element', type: element };
    const call = { ...aggregateOf(fn, [item], type), ...(safe === undefined ? {} : { safe }) };
    return bindOnce([list] as const, (v) => {
      const print = listAggregates('q', elements(v))[fn] as AnyAggregatePrinter;
      return castTo(
        print({ args: ['q'], sort: [], over: '' }, call, () => mayBeNaN(list.expr)),
        type
      );
    });
  };
}
