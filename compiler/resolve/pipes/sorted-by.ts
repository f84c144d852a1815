/** Keys of `|> ORDER BY`: columns by position, and expressions. */
import type { Expression, PipeOrderBy, SourcePosition } from '../../ast';
import type { SortExpr } from '../../ir/expression';
import type { ExpressionResolver } from '../expressions/resolve-expression';
import { failure } from '../failure';
import { refuseConstantKey } from '../query/order/order-keys';
import type { PipeBlock } from './pipe-block';
import { listedColumns, type PipeColumn } from './pipe-variables';

export function sortedBy(step: PipeOrderBy, block: PipeBlock, resolver: ExpressionResolver): SortExpr[] {
  return step.items.map((item) => {
    refuseConstantKey(item.expression, listedColumns(block.piece, step.position).length);
    const column = ordinal(block, item.expression, step.position);
    if (column === null) return resolver.sortItem(item, (expression) => resolver.resolve(expression));
    const { position } = item.expression;
    const value = column.read({ display: column.name, position });
    return resolver.sortItem(item, () => ({ ...value, position }));
  });
}

/** @throws bad_ordinal */
function ordinal(block: PipeBlock, expression: Expression, position: SourcePosition): PipeColumn | null {
  if (expression.kind !== 'literal' || expression.literal.type !== 'integer') return null;
  const columns = listedColumns(block.piece, position);
  const column = columns[Number(expression.literal.digits) - 1];
  if (column !== undefined) return column;
  throw failure(
    'bad_ordinal',
    `ORDER BY ${expression.literal.digits} is not one of the ${columns.length} columns`,
    expression.position
  );
}
