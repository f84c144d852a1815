import { isComparable, isNested, isScalar, shortTypeName } from '../../ir/types';
import { callValue, checkCount, nullValue, valueOf } from '../arguments';
import type { FunctionSpec } from '../function';
import { itemAt } from '../../items';

export const nullif: FunctionSpec = {
  names: ['NULLIF'],
  kind: 'scalar',
  safe: true,
  usage: 'NULLIF(value, nothing)',
  summary: 'NULL when both are equal, else the first.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, nullif.usage, 2);
    const resolved = call.args.map((arg) => ctx.resolve(arg));
    const { type, values } = ctx.unify(resolved, 'the arguments of NULLIF');
    const [value, other] = [itemAt(values, 0), itemAt(values, 1)];
    if ((isNested(type) && isComparable(type)) || type.kind === 'INTERVAL') {
      const branches = [{ when: ctx.equality(value, other), then: nullValue(call, type).expr }];
      return valueOf(call, { kind: 'case', branches, otherwise: ctx.materialize(value), type });
    }
    if (!isScalar(type)) {
      ctx.fail('type_mismatch', `NULLIF cannot compare ${shortTypeName(type)} values`, call.position);
    }
    const first = resolved[0];
    return { ...callValue(call, 'nullif', values, type), text: first?.type.kind === 'STRING' ? first.text : null };
  },
};
