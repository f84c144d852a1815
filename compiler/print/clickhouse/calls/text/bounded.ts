/** Functions that can make a text or bytes longer, with a check of the result's size before it is made. */
import { MAX_TEXT_BYTES, MAX_TEXT_GROWTH_BYTES } from '../../../../functions/limits';
import { tooLong } from '../../../base/text/text-growth';
import type { Operand } from '../../../dialect/dialect';
import { bindOnce } from '../../values/bind-once';
import { failsWhen } from '../../values/literals';

export function replaceAll(operands: readonly [Operand, Operand, Operand]): string {
  return bindOnce(operands, (x, from, to) => {
    const count = `intDiv(length(${x}) - length(replaceAll(${x}, ${from}, '')), greatest(length(${from}), 1))`;
    const grown = `(${count} * (length(${to}) - length(${from})))`;
    const fails = `length(${x}) * length(${to}) > ${MAX_TEXT_GROWTH_BYTES} AND ${tooLong(`length(${x})`, grown)}`;
    return `(CASE WHEN ${failsWhen(fails, 'text_too_long')} THEN NULL ELSE replaceAll(${x}, ${from}, ${to}) END)`;
  });
}

export function repeat(operands: readonly [Operand, Operand]): string {
  return bindOnce(
    operands,
    (x, n) =>
      `(CASE WHEN ${failsWhen(`${n} < 0 AND ${x} IS NOT NULL`, 'negative_length')} THEN NULL ` +
      `WHEN ${x} = '' AND ${n} IS NOT NULL THEN ${x} ` +
      // Divides instead of multiplying, because a product could overflow.
      `WHEN ${failsWhen(`${n} > 1 AND ${n} > intDiv(${MAX_TEXT_BYTES}, greatest(length(${x}), 1))`, 'text_too_long')} THEN NULL ` +
      `ELSE repeat(${x}, ${n}) END)`
  );
}
