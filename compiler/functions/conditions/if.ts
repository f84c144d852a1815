import { BOOL } from '../../ir/types';
import { checkCount, sharedText, typedArgument, valueOf } from '../arguments';
import type { FunctionSpec } from '../function';

export const ifFunction: FunctionSpec = {
  names: ['IF'],
  kind: 'scalar',
  safe: true,
  usage: 'IF(condition, value, otherwise)',
  summary: 'One of two values; a condition that is NULL counts as false.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, ifFunction.usage, 3);
    const condition = typedArgument(call, ctx, 0, BOOL);
    const results = call.args.slice(1).map((arg) => ctx.resolve(arg));
    const { type, values } = ctx.unify(results, 'the results of IF');
    const [then, otherwise] = values.map((value) => ctx.materialize(value));
    if (then === undefined || otherwise === undefined) throw new Error('IF lost a result');
    const known = ctx.constant(condition);
    if (known !== undefined) {
      return { ...valueOf(call, known.value === true ? then : otherwise, type), text: sharedText(values) };
    }
    const expr = { kind: 'case', branches: [{ when: condition.expr, then }], otherwise, type } as const;
    return { ...valueOf(call, expr), text: sharedText(values) };
  },
};
