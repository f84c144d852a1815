/** BIT_AND, BIT_OR and BIT_XOR of the values of a group. */
import type { PlainAggregate } from '../../ir/operations/ops';
import { INT64 } from '../../ir/types';
import { simpleAggregate } from './aggregate';

export const bitAnd = bitwise('BIT_AND', 'group_bit_and', 'The bits that all values have');
export const bitOr = bitwise('BIT_OR', 'group_bit_or', 'The bits that any value has');
export const bitXor = bitwise('BIT_XOR', 'group_bit_xor', 'The bits that an odd number of values has');

function bitwise(name: string, fn: PlainAggregate, summary: string) {
  return simpleAggregate({
    names: [name],
    fn,
    usage: `${name}([DISTINCT] value)`,
    summary: `${summary}, as a number; NULL for no rows.`,
    modifiers: ['DISTINCT'],
    typeOf: (value, ctx, what) => ({ value: ctx.coerce(value, INT64, what), type: INT64 }),
  });
}
