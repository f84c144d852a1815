/** Keys of ORDER BY: select items by position or alias, and expressions. */
import type { Expression, OrderItem } from '../../../ast';
import type { Value } from '../../../functions/function';
import type { Expr, SortExpr } from '../../../ir/expression';
import { expressionKey } from '../../../ir/passes/expression-key';
import { isComparable, shortTypeName } from '../../../ir/types';
import type { ExpressionResolver } from '../../expressions/resolve-expression';
import { failure } from '../../failure';
import type { SelectAliases } from '../../names/select-aliases';
import type { SelectColumn } from '../resolved-query';

export interface OrderKey {
  readonly item: OrderItem;
  readonly sort: SortExpr;
  /** Index of the select item that it names, or null. */
  readonly column: number | null;
}

export function orderKeys(
  items: readonly OrderItem[],
  columns: readonly SelectColumn[],
  aliases: SelectAliases,
  resolver: ExpressionResolver
): readonly OrderKey[] {
  let keys: readonly string[] | undefined;
  const indexOf = (expr: Expr): number => {
    keys ??= columns.map(({ value }) => expressionKey(value.expr));
    return keys.indexOf(expressionKey(expr));
  };
  return items.map((item) => {
    refuseConstantKey(item.expression, columns.length);
    const selected = ordinal(item.expression, columns, 'ORDER BY') ?? aliases.of(item.expression);
    const sort = resolver.sortItem(item, (expression) => selected ?? resolver.resolve(expression));
    const column = selected ? columns.findIndex(({ value }) => value === selected) : indexOf(sort.expr);
    return { item, sort, column: column < 0 ? null : column };
  });
}

/** @throws type_mismatch for columns that are not compared */
export function checkDistinct(columns: readonly SelectColumn[]): void {
  const nested = columns.find(({ value }) => !isComparable(value.type));
  if (nested) {
    throw failure(
      'type_mismatch',
      `SELECT DISTINCT does not work on ${shortTypeName(nested.value.type)} (column "${nested.name}")`,
      nested.value.position,
      {
        hint:
          nested.value.type.kind === 'INTERVAL'
            ? 'select its text, CAST(... AS STRING)'
            : 'select its fields, or TO_JSON_STRING(...) of it',
      }
    );
  }
}

export function notSelected({ item }: OrderKey): Error {
  const message = 'with SELECT DISTINCT, ORDER BY takes only selected columns';
  return failure('bad_order', message, item.expression.position);
}

/** The column that a whole number names in GROUP BY or ORDER BY. @throws bad_ordinal */
export function ordinal(
  item: Expression,
  columns: readonly SelectColumn[],
  clause: 'GROUP BY' | 'ORDER BY'
): Value | undefined {
  const digits = wholeNumber(item);
  if (digits === undefined) return undefined;
  const column = columns[Number(digits) - 1];
  if (column !== undefined) return column.value;
  throw badOrdinal(item, digits, columns.length, clause);
}

/** Digits of a whole number, with the sign; `-(1)` is an expression. */
function wholeNumber(item: Expression): string | undefined {
  if (item.kind === 'literal') return item.literal.type === 'integer' ? item.literal.digits : undefined;
  if (item.kind !== 'unary' || item.operator !== '-' || item.position.end !== item.operand.position.end) return;
  const { operand } = item;
  return operand.kind === 'literal' && operand.literal.type === 'integer' ? `-${operand.literal.digits}` : undefined;
}

function badOrdinal({ position }: Expression, digits: string, columns: number, clause: string): Error {
  const message = `${clause} ${digits} is not one of the ${columns} columns`;
  const isDescending = clause === 'ORDER BY' && digits.startsWith('-');
  return failure('bad_ordinal', message, position, {
    ...(isDescending && { hint: `write ORDER BY ${digits.slice(1)} DESC` }),
  });
}

/** @throws bad_ordinal for a negative number, bad_order for other literals than whole numbers */
export function refuseConstantKey(item: Expression, columns: number): void {
  const digits = wholeNumber(item);
  if (digits?.startsWith('-') === true) throw badOrdinal(item, digits, columns, 'ORDER BY');
  if (item.kind !== 'literal' || item.literal.type === 'integer') return;
  throw failure('bad_order', 'ORDER BY takes no literals', item.position, { hint: 'name a column' });
}
