/** NET.HOST as a regular expression: the part between the scheme or user and the port or path. */
import { STRING } from '../../ir/types';
import { callValue, checkCount, typedArgument, valueOf } from '../arguments';
import type { FunctionSpec } from '../function';

const HOST = String.raw`^\s*(?:(?:[A-Za-z][A-Za-z0-9+.\-]*:)?//)?(?:[^/?#@]*@)?(\[[^\]/?#]*\]|[^/?#:\s]+)`;

export const netHost: FunctionSpec = {
  names: ['NET.HOST'],
  kind: 'scalar',
  safe: 'never fails',
  usage: 'NET.HOST(url)',
  summary: 'The host of a URL as it is written; NULL where there is none.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, netHost.usage, 1);
    const url = typedArgument(call, ctx, 0, STRING);
    const pattern = valueOf(call, { kind: 'literal', type: STRING, value: HOST });
    return callValue(call, 'regexp_extract', [url, pattern], STRING, { group: 1 });
  },
};
