import { isScalar, shortTypeName } from '../../ir/types';
import { callValue, checkCount } from '../arguments';
import type { FunctionSpec } from '../function';

export const nullif: FunctionSpec = {
  names: ['NULLIF'],
  kind: 'scalar',
  safe: false,
  usage: 'NULLIF(value, nothing)',
  summary: 'NULL when both are equal, else the first.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, nullif.usage, 2);
    const resolved = call.args.map((arg) => ctx.resolve(arg));
    const { type, values } = ctx.unify(resolved, 'the arguments of NULLIF');
    if (!isScalar(type)) {
      ctx.fail('type_mismatch', `NULLIF cannot compare ${shortTypeName(type)} values`, call.position);
    }
    const first = resolved[0];
    return { ...callValue(call, 'nullif', values, type), text: first?.type.kind === 'STRING' ? first.text : null };
  },
};
