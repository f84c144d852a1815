/** Operations with a lambda over the elements of a list. */
import type { LambdaOps } from '../../../../ir/ops';
import { named } from '../../../base/functions';
import type { CallPrinters } from '../../../dialect/dialect';

export const lambdas: CallPrinters<LambdaOps> = {
  list_filter: named('list_filter'),
  list_map: named('list_transform'),
  list_any: (operands) => `(len(${named('list_filter')(operands)}) > 0)`,
};

export function lambda(parameters: readonly string[], body: string): string {
  return `lambda ${parameters.join(', ')}: ${body}`;
}
