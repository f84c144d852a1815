/** Numbers that must be finite: ClickHouse's arithmetic returns infinity where GoogleSQL fails. */
import type { FiniteCheck } from '../../dialect/dialect';
import { bindLong } from '../../dialect/bind-once';
import { bindOnce } from './bind-once';
import { failsWhen } from './literals';

export function finite({ operands, unbounded, safe, result }: FiniteCheck): string {
  return bindLong(operands, bindOnce, (...names) => {
    const sql = result(names);
    const areFinite = unbounded.map((index) => ` AND isFinite(${names[index]})`).join('');
    const isOutside = `NOT isFinite(${sql})${areFinite}`;
    return `(CASE WHEN ${safe ? isOutside : failsWhen(isOutside, 'out_of_range')} THEN NULL ELSE ${sql} END)`;
  });
}
