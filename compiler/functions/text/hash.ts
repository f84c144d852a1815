/** MD5 and SHA256 return BYTES, a type that only TO_HEX accepts. */
import { STRING } from '../../ir/types';
import { callValue, checkCount, typedArgument } from '../arguments';
import type { FunctionSpec } from '../function';

const HASHES: Readonly<Record<string, 'md5_hex' | 'sha256_hex'>> = { MD5: 'md5_hex', SHA256: 'sha256_hex' };

export const toHex: FunctionSpec = {
  names: ['TO_HEX'],
  kind: 'scalar',
  safe: true,
  usage: 'TO_HEX(MD5(text)) or TO_HEX(SHA256(text))',
  summary: 'A hash in hexadecimal digits.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, toHex.usage, 1);
    const [inner] = call.args;
    const fn = inner?.kind === 'call' ? HASHES[inner.name] : undefined;
    if (inner?.kind !== 'call' || fn === undefined || inner.safe) {
      return ctx.fail('type_mismatch', 'TO_HEX works on a hash only', call.position, `write ${toHex.usage}`);
    }
    checkCount(inner, ctx, `${inner.name}(text)`, 1);
    return callValue(call, fn, [typedArgument(inner, ctx, 0, STRING)], STRING);
  },
};

export const md5 = hash('MD5');
export const sha256 = hash('SHA256');

function hash(name: string): FunctionSpec {
  return {
    names: [name],
    kind: 'scalar',
    safe: true,
    usage: `TO_HEX(${name}(text))`,
    summary: `The ${name} hash; its bytes can be read through TO_HEX only.`,
    resolve: (call, ctx) =>
      ctx.fail(
        'type_mismatch',
        `${name} gives BYTES, which cannot be used here`,
        call.position,
        `write TO_HEX(${name}(text))`
      ),
  };
}
