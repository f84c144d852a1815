/** Bytes as texts of digits, and characters of UTF-8. */
import { BYTES, STRING } from '../../ir/types';
import { isCall } from '../../ir/operations/call';
import { callValue, checkCount, fixedFunction, typedArgument } from '../arguments';
import type { FunctionSpec } from '../function';

/** Hashes that stores write in hexadecimal digits themselves. */
const HEX_HASHES = { md5: 'md5_hex', sha256: 'sha256_hex' } as const;

export const toHex: FunctionSpec = {
  names: ['TO_HEX'],
  kind: 'scalar',
  safe: true,
  usage: 'TO_HEX(bytes)',
  summary: 'Bytes, such as a hash, as hexadecimal digits in small letters.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, toHex.usage, 1);
    const bytes = typedArgument(call, ctx, 0, BYTES);
    const { expr } = bytes;
    if (isCall(expr, 'md5', 'sha256') && expr.args[0]?.type.kind === 'STRING') {
      return callValue(call, HEX_HASHES[expr.fn], [{ ...bytes, expr: expr.args[0] }], STRING);
    }
    return callValue(call, 'to_hex', [bytes], STRING);
  },
};

export const fromHex = decoding('FROM_HEX', 'from_hex', 'The bytes of hexadecimal digits.');
export const fromBase64 = decoding('FROM_BASE64', 'from_base64', 'The bytes of a text in base64.');

export const toBase64 = fixedFunction({
  names: ['TO_BASE64'],
  fn: 'to_base64',
  takes: [BYTES],
  returns: STRING,
  usage: 'TO_BASE64(bytes)',
  summary: 'Bytes as a text in base64.',
});

export const safeConvertBytesToString = fixedFunction({
  names: ['SAFE_CONVERT_BYTES_TO_STRING'],
  fn: 'bytes_to_text',
  takes: [BYTES],
  returns: STRING,
  safe: 'never fails',
  usage: 'SAFE_CONVERT_BYTES_TO_STRING(bytes)',
  summary: 'Bytes read as UTF-8, with U+FFFD for each byte that is not part of a character.',
});

function decoding(name: string, fn: 'from_hex' | 'from_base64', summary: string): FunctionSpec {
  const usage = `${name}(text)`;
  return {
    names: [name],
    kind: 'scalar',
    safe: true,
    usage,
    summary,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 1);
      return callValue(call, fn, [typedArgument(call, ctx, 0, STRING)], BYTES, { safe: call.safe });
    },
  };
}
