/** Hashes of texts and bytes. */
import { BYTES, STRING } from '../../ir/types';
import { argument, argumentName, callValue, checkCount } from '../arguments';
import type { FunctionSpec } from '../function';

export const md5 = hash('MD5', 'md5', 16);
export const sha1 = hash('SHA1', 'sha1', 20);
export const sha256 = hash('SHA256', 'sha256', 32);

function hash(name: string, fn: 'md5' | 'sha1' | 'sha256', size: number): FunctionSpec {
  const usage = `${name}(value)`;
  return {
    names: [name],
    kind: 'scalar',
    safe: 'never fails',
    usage,
    summary: `The ${name} hash of a text or of bytes: ${size} bytes. TO_HEX writes them as digits.`,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 1);
      const value = argument(call, ctx, 0);
      const type = value.type.kind === 'BYTES' ? BYTES : STRING;
      return callValue(call, fn, [ctx.coerce(value, type, argumentName(call, 0))], BYTES);
    },
  };
}
