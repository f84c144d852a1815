/** Intervals, which are HUGEINT. */
import { mapItems } from '../../../../items';
import { textOf } from '../../../base/time/interval';
import { type IntervalCallForm, intervalPrinters } from '../../../base/time/interval-calls';
import { bindOnce, fieldOf, nameOnce } from '../../values/bind-once';
import { structPack } from '../../values/struct-pack';
import { unless } from './time-range';

const form: IntervalCallForm = {
  bindOnce,
  wide: (value) => `CAST('${value}' AS HUGEINT)`,
  widen: (sql) => `CAST(${sql} AS HUGEINT)`,
  narrow: (sql) => `CAST(${sql} AS BIGINT)`,
  quotient: (a, b) => `(${a} // ${b})`,
  remainder: (a, b) => `(${a} % ${b})`,
  typed: (sql) => sql,
  named: (values, body) => {
    const packed = structPack(values.map((sql, index) => [`p${index}`, sql]));
    return nameOnce(packed, (v) => body(...mapItems(values, (_, index) => fieldOf(v, `p${index}`))));
  },
  unless,
  text: (number) => `CAST(${number} AS VARCHAR)`,
  joined: (texts) => `(${texts.join(' || ')})`,
  fraction: (micros) =>
    `regexp_replace(regexp_replace('.' || lpad(CAST(${micros} AS VARCHAR), 6, '0'), '000$', ''), '^\\.000$', '')`,
  days: (from, to) => `CAST(date_diff('day', ${from}, ${to}) AS HUGEINT)`,
  micros: (time) => `epoch_us(${time})`,
};

export const intervals = intervalPrinters(form);

export function intervalText(operand: string): string {
  return nameOnce(operand, (v) => `(CASE WHEN ${v} IS NOT NULL THEN ${textOf(v, form)} END)`);
}
