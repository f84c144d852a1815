/** IFERROR, ISERROR, NULLIFERROR and ERROR. */
import type { CallExpression } from '../../ast';
import { attempt, NotAttemptable, type Attempt } from '../../ir/operations/attempt';
import type { Expr } from '../../ir/expression';
import { BOOL, NULL_TYPE, STRING } from '../../ir/types';
import { argument, callValue, checkCount, typedArgument, valueOf } from '../arguments';
import type { CallContext, FunctionSpec, Value } from '../function';
import { itemAt } from '../../items';

export const ifError: FunctionSpec = {
  names: ['IFERROR'],
  kind: 'scalar',
  safe: true,
  usage: 'IFERROR(value, instead)',
  summary: 'The value, or the other one where computing it fails on a value of the row; division by zero is a failure.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, ifError.usage, 2);
    const given = [argument(call, ctx, 0), argument(call, ctx, 1)];
    const { type, values } = ctx.unify(given, 'the arguments of IFERROR');
    const [value, instead] = [itemAt(values, 0), itemAt(values, 1)];
    const tried = attempted(call, ctx, value);
    if (tried.failed === null) return valueOf(call, tried.value, type);
    const branches = [{ when: tried.failed, then: ctx.materialize(instead) }];
    return valueOf(call, { kind: 'case', branches, otherwise: tried.value, type });
  },
};

export const isError: FunctionSpec = {
  names: ['ISERROR'],
  kind: 'scalar',
  safe: true,
  usage: 'ISERROR(value)',
  summary: 'Whether computing a value fails on a value of the row.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, isError.usage, 1);
    const { failed } = attempted(call, ctx, argument(call, ctx, 0));
    return valueOf(call, failed ?? { kind: 'literal', type: BOOL, value: false });
  },
};

export const nullIfError: FunctionSpec = {
  names: ['NULLIFERROR'],
  kind: 'scalar',
  safe: true,
  usage: 'NULLIFERROR(value)',
  summary: 'The value, or NULL where computing it fails on a value of the row.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, nullIfError.usage, 1);
    const value = argument(call, ctx, 0);
    const { type } = value;
    const tried = attempted(call, ctx, value);
    if (tried.failed === null) return valueOf(call, tried.value, type);
    const branches: readonly { readonly when: Expr; readonly then: Expr }[] = [
      { when: tried.failed, then: { kind: 'literal', type, value: null } },
    ];
    return valueOf(call, { kind: 'case', branches, otherwise: tried.value, type });
  },
};

/** The message of the error is shown if it is a constant: other texts may be of events. */
export const error: FunctionSpec = {
  names: ['ERROR'],
  kind: 'scalar',
  safe: true,
  usage: 'ERROR(message)',
  summary: 'Fails the query with a message, which is shown where it is a constant.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, error.usage, 1);
    return callValue(call, 'error', [typedArgument(call, ctx, 0, STRING)], NULL_TYPE, {
      failure: 'error_called',
    });
  },
};

function attempted(call: CallExpression, ctx: CallContext, value: Value): Attempt {
  try {
    return attempt(ctx.materialize(value));
  } catch (problem) {
    if (!(problem instanceof NotAttemptable)) throw problem;
    return ctx.fail(
      'not_supported',
      `${call.name} of ${problem.part} is not supported`,
      value.position,
      problem.part === 'a subquery'
        ? 'compute it in FROM or WITH first'
        : 'write SAFE before the function that may fail'
    );
  }
}
