/** Characters and bytes as numbers. */
import type { CallExpression } from '../../ast';
import { arrayOf, BYTES, INT64, STRING } from '../../ir/types';
import { argument, argumentName, callValue, checkCount, fixedFunction, typedArgument } from '../arguments';
import type { CallContext, FunctionSpec, Value } from '../function';

const NUMBERS = arrayOf(INT64);

const toCodePoints: FunctionSpec = {
  names: ['TO_CODE_POINTS'],
  kind: 'scalar',
  safe: true,
  usage: 'TO_CODE_POINTS(value)',
  summary: 'The numbers of the characters of a text, or of bytes.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, toCodePoints.usage, 1);
    const value = argument(call, ctx, 0);
    if (value.type.kind === 'BYTES') return callValue(call, 'bytes_code_points', [value], NUMBERS);
    const text = ctx.coerce(value, STRING, argumentName(call, 0));
    return callValue(call, 'text_code_points', [text], NUMBERS);
  },
};

const codePointsToString = fallible(
  'CODE_POINTS_TO_STRING(numbers)',
  'The text of characters with these numbers; NULL when any is NULL.',
  (call, ctx) => callValue(call, 'code_points_to_text', [numbers(call, ctx)], STRING, { safe: call.safe })
);

const codePointsToBytes = fallible(
  'CODE_POINTS_TO_BYTES(numbers)',
  'Bytes with these numbers, from 0 to 255; NULL when any is NULL.',
  (call, ctx) => callValue(call, 'code_points_to_bytes', [numbers(call, ctx)], BYTES, { safe: call.safe })
);

const chr = fallible('CHR(number)', 'The character with this number.', (call, ctx) =>
  callValue(call, 'chr', [typedArgument(call, ctx, 0, INT64)], STRING, { safe: call.safe })
);

const ascii = fallible(
  'ASCII(text)',
  'The number of the first character, which must be ASCII; 0 for an empty text.',
  (call, ctx) => {
    const value = argument(call, ctx, 0);
    if (value.type.kind === 'BYTES') {
      ctx.fail(
        'not_supported',
        'ASCII works on texts',
        value.position,
        'use TO_CODE_POINTS(bytes)[SAFE_OFFSET(0)], which is NULL for no bytes'
      );
    }
    const text = ctx.coerce(value, STRING, argumentName(call, 0));
    return callValue(call, 'first_ascii', [text], INT64, { safe: call.safe });
  }
);

const unicode = fixedFunction({
  names: ['UNICODE'],
  fn: 'first_code_point',
  takes: [STRING],
  returns: INT64,
  safe: 'never fails',
  usage: 'UNICODE(text)',
  summary: 'The number of the first character; 0 for an empty text.',
});

export const codePointFunctions: readonly FunctionSpec[] = [
  toCodePoints,
  codePointsToString,
  codePointsToBytes,
  chr,
  ascii,
  unicode,
];

/** A function of one argument that may fail on a value. */
function fallible(
  usage: string,
  summary: string,
  resolve: (call: CallExpression, ctx: CallContext) => Value
): FunctionSpec {
  const names = [usage.slice(0, usage.indexOf('('))];
  return {
    names,
    kind: 'scalar',
    safe: true,
    usage,
    summary,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 1);
      return resolve(call, ctx);
    },
  };
}

function numbers(call: CallExpression, ctx: CallContext): Value {
  return typedArgument(call, ctx, 0, NUMBERS);
}
