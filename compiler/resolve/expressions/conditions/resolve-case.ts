/** CASE, with and without an operand. */
import type { CaseExpression } from '../../../ast';
import type { Value } from '../../../functions/function';
import type { Expr } from '../../../ir/expression';
import { sharedText } from '../../../functions/arguments';
import { BOOL } from '../../../ir/types';
import { equality } from '../../types/equality';
import { foldCase } from '../fold-conditions';
import type { ExpressionContext } from '../expression-context';
import { valueOf } from '../values/value-of';
import { itemAt } from '../../../items';

export function resolveCase(r: ExpressionContext, expression: CaseExpression): Value {
  const whens = expression.branches.map((branch) => branch.when);
  let conditions: readonly Expr[];
  if (expression.operand === null) {
    conditions = whens.map((when) => r.coerce(r.resolve(when), BOOL, 'WHEN').expr);
  } else {
    const operand = r.resolve(expression.operand);
    conditions = whens.map((when) => {
      return equality(operand, r.resolve(when), when.position);
    });
  }
  const results = expression.branches.map((branch) => r.resolve(branch.then));
  if (expression.otherwise) results.push(r.resolve(expression.otherwise));
  const { type, values } = r.unify(results, 'the results of CASE');
  const exprs = values.map((value) => r.materialize(value));
  const folded = foldCase({
    kind: 'case',
    branches: conditions.map((when, index) => ({ when, then: itemAt(exprs, index) })),
    otherwise: expression.otherwise ? itemAt(exprs, conditions.length) : null,
    type,
  });
  return valueOf(folded, type, expression.position, sharedText(values));
}
