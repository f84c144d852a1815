import { typeName, STRING } from '../../ir/types';
import { argument, checkCount, valueOf } from '../arguments';
import type { FunctionSpec } from '../function';

/** In the dialect a bare NULL is an INT64. */
export const typeOf: FunctionSpec = {
  names: ['TYPEOF'],
  kind: 'scalar',
  safe: 'never fails',
  usage: 'TYPEOF(value)',
  summary: 'Name of the type of a value, as this page writes it.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, typeOf.usage, 1);
    const { type } = argument(call, ctx, 0);
    const value = type.kind === 'NULL' ? 'INT64' : typeName(type);
    return valueOf(call, { kind: 'literal', type: STRING, value });
  },
};
