/** BIT_COUNT. */
import { INT64 } from '../../ir/types';
import { argument, argumentName, callValue, checkCount } from '../arguments';
import type { FunctionSpec } from '../function';

export const bitCount: FunctionSpec = {
  names: ['BIT_COUNT'],
  kind: 'scalar',
  safe: 'never fails',
  usage: 'BIT_COUNT(value)',
  summary: 'How many bits of a whole number, in two’s complement, or of bytes are 1.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, bitCount.usage, 1);
    const value = argument(call, ctx, 0);
    if (value.type.kind === 'BYTES') return callValue(call, 'bytes_bit_count', [value], INT64);
    return callValue(call, 'bit_count', [ctx.coerce(value, INT64, argumentName(call, 0))], INT64);
  },
};
