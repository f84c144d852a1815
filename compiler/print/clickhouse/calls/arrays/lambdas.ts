/** Operations with a lambda over the elements of a list. */
import type { LambdaOps } from '../../../../ir/operations/ops';
import type { CallPrinters, Operand } from '../../../dialect/dialect';
import { elements } from '../../values/lists';
import { bindOnce } from '../../values/bind-once';
import { castTo } from '../../values/literals';

export const lambdas: CallPrinters<LambdaOps> = {
  list_filter: (operands) => unlessNull(operands, (args) => `tuple(arrayFilter(${args}))`),
  list_map: (operands, { type }) =>
    castTo(
      unlessNull(operands, (args) => `tuple(arrayMap(${args}))`),
      type
    ),
  list_any: (operands) => unlessNull(operands, (args) => `arrayExists(${args})`),
};

export function lambda(parameters: readonly string[], body: string): string {
  return `${parameters.length === 1 ? parameters.join() : `(${parameters.join(', ')})`} -> ${body}`;
}

/** @param print receives the lambda, the elements, and their positions if the lambda reads them */
function unlessNull([list, each]: readonly [Operand, Operand], print: (args: string) => string): string {
  const readsOffset = each.expr.kind === 'lambda' && each.expr.parameters.length > 1;
  return bindOnce([list] as const, (v) => {
    const arrays = readsOffset ? `${elements(v)}, arrayEnumerate(${elements(v)})` : elements(v);
    return `if(${v} IS NULL, NULL, ${print(`${each.sql}, ${arrays}`)})`;
  });
}
