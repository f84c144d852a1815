/**
 * Values as keys of groups, sets and joins. ClickHouse compares the bits of FLOAT64 there, so that minus zero would not
 * be equal to zero.
 */
import { isCall } from '../../../ir/operations/call';
import type { Expr } from '../../../ir/expression';
import { relationsRead } from '../../../ir/passes/correlation/join-keys';
import type { Type } from '../../../ir/types';
import type { KeyForm, Operand } from '../../dialect/dialect';
import { holds, replacedIn } from './nested';

export function keyForm(expr: Expr): KeyForm | null {
  return holds(expr.type, 'FLOAT64') && mayBeMinusZero(expr) ? (sql) => keyOf(sql, expr.type) : null;
}

/** A value as a key. */
export function key(sql: string, expr: Expr): string {
  return keyForm(expr)?.(sql) ?? sql;
}

/** A value of this type as a key. */
export function keyOf(sql: string, type: Type): string {
  return replacedIn(sql, type, 'FLOAT64', unsignedZero);
}

/** Operands of an equality, which may be the key of a join if they read different relations. */
export function sidesOf<Sides extends readonly Operand[]>(operands: Sides): Sides {
  const [left = [], right = []] = operands.map(({ expr }) => (expr.type.kind === 'FLOAT64' ? relationsRead(expr) : []));
  const isJoin = left.length > 0 && right.length > 0 && !left.some((relation) => right.includes(relation));
  if (!isJoin) return operands;
  return operands.map((operand) => ({ ...operand, sql: key(operand.sql, operand.expr) })) as unknown as Sides;
}

/** Removes the sign of zero. */
export function unsignedZero(sql: string): string {
  return `(${sql} + 0)`;
}

function mayBeMinusZero(expr: Expr): boolean {
  switch (expr.kind) {
    case 'literal':
      return Object.is(expr.value, -0);
    case 'cast':
      return expr.operand.type.kind !== 'INT64';
    case 'call':
      // These are printed without it.
      return !isCall(expr, 'add', 'sub', 'mul', 'divide', 'mod', 'neg', 'ceil', 'round', 'trunc');
    default:
      return true;
  }
}
