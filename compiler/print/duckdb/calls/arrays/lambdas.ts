/** Operations with a lambda over the elements of a list. */
import type { LambdaOps } from '../../../../ir/operations/ops';
import type { CallPrinters, Operand } from '../../../dialect/dialect';
import { forLambdaWithColumns } from '../../values/for-lambda';

export const lambdas: CallPrinters<LambdaOps> = {
  list_filter: overItems('list_filter'),
  list_map: overItems('list_transform'),
  list_any: (operands) => `(len(${overItems('list_filter')(operands)}) > 0)`,
};

export function lambda(parameters: readonly string[], body: string): string {
  return `lambda ${parameters.join(', ')}: ${body}`;
}

function overItems(name: string): (operands: readonly [Operand, Operand]) => string {
  return ([list, body]) => `${name}(${forLambdaWithColumns(list.sql)}, ${body.sql})`;
}
