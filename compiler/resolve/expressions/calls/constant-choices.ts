/**
 * Arguments that must be constant may be a choice between constants: `FORMAT_TIMESTAMP(IF(x, '%H', '%F'), t)` becomes
 * `IF(x, FORMAT_TIMESTAMP('%H', t), FORMAT_TIMESTAMP('%F', t))`.
 */
import type { Expression } from '../../../ast';
import type { Value } from '../../../functions/function';
import { constantOf } from '../../../ir/constant';
import { isCall } from '../../../ir/operations/call';
import { onceOf, writtenOut } from '../../../ir/operations/lambda';
import type { CaseExpr, Expr } from '../../../ir/expression';
import { failure } from '../../failure';
import { nullOf } from '../fold-conditions';
import type { ExpressionContext } from '../expression-context';
import { itemAt } from '../../../items';

/** Maximum number of constants between which one expression chooses, over all of its arguments. */
const MAX_CHOICES = 64;

/**
 * Resolves an expression once for each constant that its arguments may be.
 * @param constants arguments that must be constant
 * @param others further parts of the expression, which are resolved once
 * @throws too_complex
 */
export function overChoices(
  r: ExpressionContext,
  constants: readonly Expression[],
  others: readonly Expression[],
  resolve: () => Value
): Value {
  const written = constants.filter(mayChoose);
  if (written.length === 0) return resolve();
  const inner = written.map((argument) => ({ argument, value: r.resolve(argument) }));
  const choices = inner.map(({ argument, value }) => ({ argument, value, choice: choiceOf(value.expr) }));
  let count = 1;
  for (const { choice } of choices) count *= choice === undefined ? 1 : countOf(choice);
  if (count > MAX_CHOICES) {
    const { position } = itemAt(written, 0);
    throw failure('too_complex', `an argument is one of more than ${MAX_CHOICES} constants`, position, {
      maximum: MAX_CHOICES,
    });
  }
  return r.resolvingOnce([...written, ...others], () => {
    for (const { argument, value } of choices) r.known.set(argument, value);
    return overEach(r, choices, resolve);
  });
}

/** For an argument that may be left out. */
export function present(argument: Expression | null): readonly Expression[] {
  return argument === null ? [] : [argument];
}

interface Argument {
  readonly argument: Expression;
  readonly value: Value;
  /** CASE of constants; undefined: another expression. */
  readonly choice: Expr | undefined;
}

function overEach(r: ExpressionContext, [first, ...rest]: readonly Argument[], resolve: () => Value): Value {
  if (first === undefined) return resolve();
  const { argument, value, choice } = first;
  if (choice === undefined) return overEach(r, rest, resolve);
  let result: Value | undefined;
  const expr = overLeaves(choice, (constant) => {
    r.known.set(argument, { ...value, expr: constant });
    const chosen = overEach(r, rest, resolve);
    result ??= chosen;
    return r.materialize(chosen);
  });
  if (result === undefined) throw new Error('A choice has a constant.');
  return { ...result, expr, text: null };
}

function overLeaves(choice: Expr, map: (constant: Expr) => Expr): Expr {
  if (choice.kind !== 'case') return map(choice);
  const branches = choice.branches.map(({ when, then }) => ({ when, then: overLeaves(then, map) }));
  const otherwise = overLeaves(choice.otherwise ?? nullOf(choice.type), map);
  return { kind: 'case', branches, otherwise, type: otherwise.type };
}

/** Most constants are literals and parameters. */
function mayChoose({ kind }: Expression): boolean {
  return kind !== 'literal' && kind !== 'parameter';
}

/** The expression as CASE of constants; undefined if it is another one. */
function choiceOf(expr: Expr): Expr | undefined {
  if (constantOf(expr) !== undefined) return expr;
  if (expr.kind === 'case') return caseOf(expr);
  const once = onceOf(expr);
  if (once !== undefined) return choiceOf(writtenOut(once));
  if (!isCall(expr, 'coalesce')) return undefined;
  let choice: Expr | undefined;
  for (const arg of expr.args.toReversed()) {
    const before = choiceOf(arg);
    if (before === undefined) return undefined;
    choice = choice === undefined ? before : insteadOfNull(before, choice);
  }
  return choice;
}

function caseOf(expr: CaseExpr): Expr | undefined {
  const branches: CaseExpr['branches'][number][] = [];
  for (const { when, then } of expr.branches) {
    const choice = choiceOf(then);
    if (choice === undefined) return undefined;
    branches.push({ when, then: choice });
  }
  const otherwise = choiceOf(expr.otherwise ?? nullOf(expr.type));
  return otherwise && { ...expr, branches, otherwise };
}

function insteadOfNull(choice: Expr, instead: Expr): Expr {
  return overLeaves(choice, (constant) => (constantOf(constant)?.value === null ? instead : constant));
}

/** Number of constants of a choice, counted to one more than the maximum. */
function countOf(choice: Expr): number {
  const waiting = [choice];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined && count <= MAX_CHOICES; next = waiting.pop()) {
    if (next.kind !== 'case') count += 1;
    else waiting.push(...next.branches.map(({ then }) => then), next.otherwise ?? nullOf(next.type));
  }
  return count;
}
