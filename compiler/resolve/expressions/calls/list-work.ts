/** Bounds of the work that lambdas do for one row. A store stops a query between blocks of rows, not inside of one. */
import type { SourcePosition } from '../../../ast';
import { MAX_LIST_STEPS } from '../../../functions/limits';
import { callOf } from '../../../ir/operations/call';
import { children, withChildren } from '../../../ir/walk/children';
import type { Expr } from '../../../ir/expression';
import { knownLength, listLength } from '../../../ir/passes/lists/list-length';
import { isSeries, lambdaOf, listSteps } from '../../../ir/passes/lists/list-steps';
import { BOOL, INT64, STRING } from '../../../ir/types';
import { failure } from '../../failure';
import type { ExpressionContext } from '../expression-context';
import { itemAt } from '../../../items';

/**
 * Checks loops inside of one another.
 * @param lists the outermost first
 * @returns whether the number of steps has to be checked for each row
 * @throws too_complex for lists whose lengths are known
 */
export function ensureFewSteps(lists: readonly Expr[], position: SourcePosition): boolean {
  const lengths = lists.map(knownLength);
  const steps = product(lengths.map((length) => length ?? 1));
  // Lists of unknown length inside of the others need steps, too.
  if (steps > MAX_LIST_STEPS || (steps === MAX_LIST_STEPS && lengths.includes(undefined))) {
    const message = `lambdas over these lists take more than ${MAX_LIST_STEPS.toLocaleString('en-US')} steps for one row`;
    throw failure('too_complex', message, position, {
      maximum: MAX_LIST_STEPS,
      hint: 'shorten a list, as with ARRAY_FIRST_N(list, 100)',
    });
  }
  // One list is bounded by the functions that make lists.
  return lists.length > 1 && product(lists.map(listLength)) > MAX_LIST_STEPS;
}

/**
 * Checks a list that is made for each element, which is a loop inside of a loop.
 * @throws too_complex for a list whose length is not computed without making it
 */
export function ensureCounted(series: Expr, position: SourcePosition): void {
  if (isSeries(series)) return;
  throw failure('too_complex', 'a lambda makes a list of unknown length for each element', position, {
    hint: 'make the list in a subquery in FROM, or use GENERATE_ARRAY with a constant step',
  });
}

/** The call with lists that fail the run where its lambdas take too many steps. */
export function withFewSteps(r: ExpressionContext, call: Expr): Expr {
  if (!r.stepsNeedLimit || r.lambdaLevel > 0) return call;
  r.stepsNeedLimit = false;
  return limited(call);
}

function limited(expr: Expr): Expr {
  const lambda = lambdaOf(expr);
  if (lambda === undefined) return withChildren(expr, limited);
  const steps = listSteps(lambda.body) === null ? null : listSteps(expr);
  if (steps === null) return expr;
  const list = itemAt(children(expr), 0);
  const maximum: Expr = { kind: 'literal', type: INT64, value: BigInt(MAX_LIST_STEPS) };
  const message: Expr = { kind: 'literal', type: STRING, value: null };
  const failed = callOf('error', [message], list.type, { failure: 'too_many_steps' });
  const branches = [{ when: callOf('gt', [steps, maximum], BOOL), then: failed }];
  // The condition is an operand, since ClickHouse computes all branches of a constant CASE.
  const short: Expr = { kind: 'case', branches, otherwise: list, type: list.type };
  return withChildren(expr, (child) => (child === list ? short : child));
}

function product(lengths: readonly number[]): number {
  return lengths.reduce((steps, length) => steps * Math.max(1, length), 1);
}
