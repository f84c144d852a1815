/** Queries as values. */
import type { InSubqueryExpr, SubqueryExpr } from '../../ir/expression';
import type { NestedPrinter } from '../dialect/dialect';

const WORDS = { scalar: '', exists: 'EXISTS ', array: 'ARRAY' } as const;

export function subquery({ form, plan }: SubqueryExpr, printer: NestedPrinter): string {
  const query = `(${printer.plan(plan)})`;
  return form === 'scalar' ? query : `(${WORDS[form]}${query})`;
}

export function inSubquery({ operand, plan }: InSubqueryExpr, printer: NestedPrinter): string {
  const rows = printer.plan(plan);
  const bothMayBeNaN = printer.mayBeNaN(operand) && plan.value !== null && printer.outputMayBeNaN(plan, plan.value);
  const choices = bothMayBeNaN ? `SELECT q."v" FROM (${rows}) AS q WHERE isnan(q."v") IS NOT TRUE` : rows;
  return `(${printer.expression(operand)} IN (${choices}))`;
}
