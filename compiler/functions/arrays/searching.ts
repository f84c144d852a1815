/** Functions that look for elements of an array, by a value or a lambda. */
import type { CallExpression } from '../../ast';
import { callOf } from '../../ir/operations/call';
import type { Expr } from '../../ir/expression';
import { firstItem, overElements, overValues } from '../../ir/operations/lambda';
import { arrayOf, BOOL, INT64, STRING, type Type } from '../../ir/types';
import { argumentName, checkCount, constantArgument, nullValue, valueOf } from '../arguments';
import type { CallContext, FunctionSpec } from '../function';
import { arrayArgument } from './array-argument';
import { equalTo, foundElements, foundOffsets, isTrue, searchArgument, valueAt, type Search } from './conditions';

export const arrayIncludes = searching({
  name: 'ARRAY_INCLUDES',
  summary: 'Whether an element equals a value, or satisfies a condition; NULL of a NULL array or value.',
  result: ({ list, condition }) => callOf('list_any', [list.expr, condition], BOOL),
});

export const arrayFindAll = searching({
  name: 'ARRAY_FIND_ALL',
  summary: 'The elements that equal a value, or satisfy a condition; NULL of a NULL array or value.',
  result: foundElements,
});

export const arrayOffsets = searching({
  name: 'ARRAY_OFFSETS',
  summary: 'The offsets from 0 of the elements that equal a value, or satisfy a condition.',
  result: foundOffsets,
});

export const arrayFind = searching({
  name: 'ARRAY_FIND',
  summary: 'The first or last element that equals a value, or satisfies a condition; NULL if none does.',
  hasMode: true,
  result: (search, call, ctx) => oneOf(foundElements(search), search.list.element, call, ctx),
});

export const arrayOffset = searching({
  name: 'ARRAY_OFFSET',
  summary: 'The offset from 0 of the first or last element that equals a value, or satisfies a condition.',
  hasMode: true,
  result: (search, call, ctx) => oneOf(foundOffsets(search), INT64, call, ctx),
});

export const arrayIncludesAny = including('ANY');
export const arrayIncludesAll = including('ALL');

function searching(spec: {
  readonly name: string;
  readonly summary: string;
  /** Whether a third argument chooses the first or the last of several. */
  readonly hasMode?: boolean;
  readonly result: (search: Search, call: CallExpression, ctx: CallContext) => Expr;
}): FunctionSpec {
  const { name, summary, hasMode = false } = spec;
  const usage = `${name}(array, value or e -> condition${hasMode ? "[, 'FIRST' or 'LAST']" : ''})`;
  return {
    names: [name],
    kind: 'scalar',
    safe: 'never fails',
    usage,
    summary,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 2, hasMode ? 3 : 2);
      const list = arrayArgument(call, ctx, 0);
      const search = searchArgument(call, ctx, 1, list);
      const { target } = search;
      const expr =
        target === null
          ? spec.result(search, call, ctx)
          : overValues([list.expr, target.expr], (expr, value) => {
              const own = { ...list, expr };
              const condition = equalTo({ ...target, expr: value }, call, ctx, own);
              return spec.result({ ...search, list: own, condition }, call, ctx);
            });
      if (target === null || ctx.constant(target)?.value !== undefined) {
        const isNull = target !== null && ctx.constant(target)?.value === null;
        return isNull ? nullValue(call, expr.type) : valueOf(call, expr);
      }
      const branches = [{ when: callOf('is_not_null', [ctx.materialize(target)], BOOL), then: expr }];
      return valueOf(call, { kind: 'case', branches, otherwise: null, type: expr.type });
    },
  };
}

/** The first element of a list, or the last if the mode says so. */
function oneOf(found: Expr, element: Type, call: CallExpression, ctx: CallContext): Expr {
  const mode = call.args.length > 2 ? constantArgument(call, ctx, 2, STRING).constant : 'FIRST';
  const which = typeof mode === 'string' ? mode.toUpperCase() : mode;
  if (which === null) return { kind: 'literal', type: element, value: null };
  if (which !== 'FIRST' && which !== 'LAST') {
    const position = call.args[2]?.position ?? call.position;
    return ctx.fail('wrong_arguments', `${argumentName(call, 2)} is FIRST or LAST`, position);
  }
  const list = which === 'LAST' ? callOf('array_reverse', [found], arrayOf(element)) : found;
  return firstItem(list, element);
}

/** ARRAY_INCLUDES_ANY and ARRAY_INCLUDES_ALL. */
function including(which: 'ANY' | 'ALL'): FunctionSpec {
  const name = `ARRAY_INCLUDES_${which}`;
  const usage = `${name}(array, wanted)`;
  return {
    names: [name],
    kind: 'scalar',
    safe: 'never fails',
    usage,
    summary: `Whether ${which === 'ANY' ? 'any' : 'each'} element of the second array is in the first; NULL of a NULL array.`,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 2);
      const [all, wanted] = [arrayArgument(call, ctx, 0), arrayArgument(call, ctx, 1)];
      ctx.ensureListWork([all.expr, wanted.expr], call.position);
      const any = overValues([all.expr, wanted.expr], (list, others) => {
        const isFound = overElements('d0', wanted.element, (other) => {
          const found = isTrue(callOf('list_any', [list, equalTo(valueAt(other, call), call, ctx, all)], BOOL));
          return which === 'ANY' ? found : callOf('not', [found], BOOL);
        });
        return callOf('list_any', [others, isFound], BOOL);
      });
      const branches = [
        { when: callOf('is_not_null', [all.expr], BOOL), then: which === 'ANY' ? any : callOf('not', [any], BOOL) },
      ];
      return valueOf(call, { kind: 'case', branches, otherwise: null, type: BOOL });
    },
  };
}
