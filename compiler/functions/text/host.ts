/** NET.HOST as a regular expression: the part between the scheme or user and the port or path. */
import { STRING } from '../../ir/types';
import { callValue, checkCount, typedArgument, valueOf } from '../arguments';
import type { FunctionSpec } from '../function';

/**
 * Space around the URL, a scheme or two slashes, what is before the last @, and dots. A port, path or the end follows.
 */
const SPACE = String.raw`[\t-\r ]*`;
const START = String.raw`^${SPACE}(?:[/\\]{2}|[^:#/?\\]*:[/\\]{2})?(?:[^#/?\\]*@)?\.*`;
const NAME = String.raw`(\[[^\[\]#/?\\]*[\[\]]?[^:#/?\\]*?\.?|[^:#/?\\.\[][^:#/?\\]*?\.?)`;
// Optional, so that a URL without a host matches as a whole and no other part of it is taken for one.
const HOST = String.raw`${START}(?:${NAME}\.*(?:[:#/?\\]|${SPACE}$))?`;

export const netHost: FunctionSpec = {
  names: ['NET.HOST'],
  kind: 'scalar',
  safe: 'never fails',
  usage: 'NET.HOST(url)',
  summary: 'The host of a URL as it is written; NULL for a URL without a host.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, netHost.usage, 1);
    const url = typedArgument(call, ctx, 0, STRING);
    const pattern = valueOf(call, { kind: 'literal', type: STRING, value: HOST });
    return callValue(call, 'regexp_extract', [url, pattern], STRING, { group: 1, emptyIsNull: true });
  },
};
