/** `LEFT UNION ALL BY NAME ON (a, b)` */
import type { SetOperator } from '../../../ast/queries';
import { printName } from '../expressions/print-name';

export function printSetOperator({ operator, match }: SetOperator): string {
  if (match === null) return operator;
  const mode = match.mode === 'STRICT' ? '' : `${match.mode} `;
  const columns = match.columns.length === 0 ? '' : ` ON (${match.columns.map(printName).join(', ')})`;
  return `${mode}${operator} BY NAME${columns}`;
}
