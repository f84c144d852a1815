import type { Expression } from '../../ast';
import { callOf } from '../../ir/operations/call';
import type { Expr } from '../../ir/expression';
import { arrayOf, unnamedField } from '../../ir/types';
import { checkCount, valueOf } from '../arguments';
import type { FunctionSpec } from '../function';
import { arrayArgument } from './array-argument';

/** A field has the name of the column that it was made of. */
function nameOf(expression: Expression | undefined): string | undefined {
  if (expression?.kind === 'path') return expression.parts.at(-1)?.name;
  return expression?.kind === 'field' ? expression.field.name : undefined;
}

export const arrayZip: FunctionSpec = {
  names: ['ARRAY_ZIP'],
  kind: 'scalar',
  safe: true,
  usage: 'ARRAY_ZIP(array, array, ...)',
  summary: 'STRUCTs of the elements at the same place in two to four arrays; arrays of different lengths fail.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, arrayZip.usage, 2, 4);
    const last = call.args.at(-1);
    if (last?.kind === 'lambda') {
      const hint = 'write ARRAY_TRANSFORM(ARRAY_ZIP(a, b), e -> ...)';
      ctx.fail('not_supported', 'ARRAY_ZIP takes no lambda', last.position, hint);
    }
    const lists = call.args.map((_, index) => arrayArgument(call, ctx, index));
    const fields = lists.map(({ element }, index) => ({
      name: nameOf(call.args[index]) ?? unnamedField(index),
      type: element,
    }));
    const type = arrayOf({ kind: 'STRUCT', fields });
    const [first, ...others] = lists.map(({ expr }) => expr) as [Expr, ...Expr[]];
    return valueOf(call, callOf('list_zip', [first, ...others], type, { mode: 'STRICT' }));
  },
};
