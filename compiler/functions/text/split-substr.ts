import { callOf } from '../../ir/operations/call';
import { arrayOf, INT64, STRING } from '../../ir/types';
import {
  argumentName,
  checkCount,
  constantArgument,
  nullValue,
  typedArgument,
  valueOf,
  wholeNumber,
  argumentsAt,
} from '../arguments';
import type { FunctionSpec } from '../function';

export const splitSubstr: FunctionSpec = {
  names: ['SPLIT_SUBSTR'],
  kind: 'scalar',
  safe: true,
  constants: argumentsAt(1, 2, 3),
  usage: 'SPLIT_SUBSTR(text, separator, start[, count])',
  summary:
    'The parts between separators from a place on, with the separators between them; a negative start counts from the end. All but the text are constants.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, splitSubstr.usage, 3, 4);
    const text = typedArgument(call, ctx, 0, STRING);
    const separator = constantArgument(call, ctx, 1, STRING);
    const start = constantArgument(call, ctx, 2, INT64).constant;
    const counted = call.args.length < 4 ? undefined : constantArgument(call, ctx, 3, INT64);
    if (separator.constant === null || start === null || counted?.constant === null) return nullValue(call, STRING);
    const count = counted && BigInt(counted.constant);
    const isWrong = separator.constant === '' || (count !== undefined && count < 0n);
    if (isWrong && call.safe) return nullValue(call, STRING);
    if (isWrong) {
      const index = separator.constant === '' ? 1 : 3;
      ctx.fail(
        'wrong_arguments',
        `${argumentName(call, index)} must not be ${index === 1 ? 'empty' : 'negative'}`,
        call.position
      );
    }
    const parts = callOf('split', [text.expr, separator.value.expr], arrayOf(STRING));
    const first = BigInt(start);
    const fromEnd = callOf('add', [callOf('list_length', [parts], INT64), wholeNumber(first)], INT64);
    const from =
      first < 0n ? callOf('greatest', [fromEnd, wholeNumber(0n)], INT64) : wholeNumber(first === 0n ? 0n : first - 1n);
    const last = count === undefined ? wholeNumber(-1n) : callOf('add', [from, wholeNumber(count - 1n)], INT64);
    // A last offset of -1 is the end.
    const [a, b] = count === 0n ? [wholeNumber(1n), wholeNumber(0n)] : [from, last];
    const kept = callOf('list_slice', [parts, a, b], arrayOf(STRING));
    return valueOf(call, callOf('array_to_string', [kept, separator.value.expr], STRING));
  },
};
