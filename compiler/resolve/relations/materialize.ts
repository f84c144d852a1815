/** Materializes values as store expressions. */
import type { Value } from '../../functions/function';
import type { Expr } from '../../ir/expression';
import type { Resolution } from '../resolution';

/** Converts a lazy record to a column of JSON text; other values already are expressions. */
export function materialize(value: Value, resolution: Resolution): Expr {
  return materializeExpr(value.expr, resolution);
}

function materializeExpr(expr: Expr, resolution: Resolution): Expr {
  if (expr.kind === 'lazy-record') {
    const mention = { display: expr.display, position: expr.position };
    const demanded = resolution.relation(expr.relation).demand(expr.column, expr.path, 'value', mention);
    return { ...demanded, type: expr.type };
  }
  if (expr.kind === 'struct') {
    return {
      ...expr,
      fields: expr.fields.map((field) => ({ name: field.name, expr: materializeExpr(field.expr, resolution) })),
    };
  }
  return expr;
}
