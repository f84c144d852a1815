/** Numbers that must be finite: DuckDB's arithmetic returns infinity where GoogleSQL fails. */
import type { FiniteCheck } from '../../dialect/dialect';
import { bindLong } from '../../dialect/bind-once';
import { bindOnce } from './bind-once';
import { raise } from './literals';

export function finite({ operands, unbounded, safe, result }: FiniteCheck): string {
  return bindLong(operands, bindOnce, (...names) => {
    const sql = result(names);
    const areFinite = unbounded.map((index) => ` AND isfinite(${names[index]})`).join('');
    return `(CASE WHEN NOT isfinite(${sql})${areFinite} THEN ${safe ? 'NULL' : raise('out_of_range')} ELSE ${sql} END)`;
  });
}
