import { arrayOf, BYTES, STRING } from '../../ir/types';
import { callValue, checkCount, textOrBytes } from '../arguments';
import type { FunctionSpec } from '../function';

export const split: FunctionSpec = {
  names: ['SPLIT'],
  kind: 'scalar',
  safe: 'never fails',
  usage: 'SPLIT(text[, separator])',
  summary:
    'The parts between separators as an array; the separator is "," unless given, and "" splits into characters.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, split.usage, 1, 2);
    const { isBytes, args: given } = textOrBytes(call, ctx, [STRING, STRING]);
    if (isBytes) {
      checkCount(call, ctx, 'SPLIT(bytes, separator)', 2);
      return callValue(call, 'bytes_split', given, arrayOf(BYTES));
    }
    const args = [...given];
    const comma = { kind: 'literal', type: STRING, value: ',' } as const;
    args[1] ??= { expr: comma, type: STRING, text: null, position: call.position };
    return callValue(call, 'split', args, arrayOf(STRING));
  },
};
