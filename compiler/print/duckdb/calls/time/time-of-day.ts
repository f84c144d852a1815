/** TIME, in microseconds since midnight. */
import type { TimeOfDayOps } from '../../../../ir/operations/ops';
import { MICROS_PER_DAY } from '../../../../time/parse-iso';
import type { CallPrinters } from '../../../dialect/dialect';
import { bindOnce } from '../../values/bind-once';
import { unless } from './time-range';

export const timeOfDay: CallPrinters<TimeOfDayOps> = {
  time_of_day: ([{ sql }]) => `(((epoch_us(${sql}) % ${MICROS_PER_DAY}) + ${MICROS_PER_DAY}) % ${MICROS_PER_DAY})`,
  time_micros: ([{ sql }]) => sql,
  time_from_micros: ([{ sql }]) => sql,
  make_time: (operands, { options: { safe } }) =>
    bindOnce(operands, (h, m, s) => {
      const isPresent = [h, m, s].map((part) => `${part} IS NOT NULL`).join(' AND ');
      const wrong = `${h} NOT BETWEEN 0 AND 23 OR ${m} NOT BETWEEN 0 AND 59 OR ${s} NOT BETWEEN 0 AND 60`;
      const micros = `((((${h} * 60 + ${m}) * 60 + ${s}) % 86400) * CAST(1000000 AS BIGINT))`;
      return unless(`${isPresent} AND (${wrong})`, safe, micros, 'bad_time');
    }),
};
