/** Materializes values as store expressions. */
import type { Value } from '../../functions/function';
import type { Expr } from '../../ir/expression';
import type { Relation } from './relation';

/** The relations of a statement by number. */
export interface Relations {
  relation(id: number): Relation;
}

/** Converts a lazy record to a column of JSON text; other values already are expressions. */
export function materialize(value: Value, relations: Relations): Expr {
  return materializeExpr(value.expr, relations);
}

function materializeExpr(expr: Expr, relations: Relations): Expr {
  if (expr.kind === 'lazy-record') {
    const mention = { display: expr.display, position: expr.position };
    const demanded = relations.relation(expr.relation).demand(expr.column, expr.path, 'value', mention);
    return { ...demanded, type: expr.type };
  }
  if (expr.kind === 'struct') {
    return {
      ...expr,
      fields: expr.fields.map((field) => ({ name: field.name, expr: materializeExpr(field.expr, relations) })),
    };
  }
  return expr;
}
