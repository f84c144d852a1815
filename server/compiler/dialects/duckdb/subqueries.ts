/** Queries as values. */
import type { InSubqueryExpr, SubqueryExpr } from '../../ir/expression';
import type { NestedPrinter } from '../dialect';

const WORDS = { scalar: '', exists: 'EXISTS ', array: 'ARRAY' } as const;

export function subquery({ form, plan }: SubqueryExpr, printer: NestedPrinter): string {
  const query = `(${printer.plan(plan)})`;
  return form === 'scalar' ? query : `(${WORDS[form]}${query})`;
}

export function inSubquery({ operand, plan }: InSubqueryExpr, printer: NestedPrinter): string {
  return `(${printer.expression(operand)} IN (${printer.plan(plan)}))`;
}
