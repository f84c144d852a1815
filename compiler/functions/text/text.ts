/** Text functions of fixed types. Positions and lengths count characters, from 1. */
import { BOOL, INT64, STRING } from '../../ir/types';
import { argument, argumentName, callValue, checkCount, fixedFunction, joined } from '../arguments';
import type { FunctionSpec } from '../function';

export const textFunctions: readonly FunctionSpec[] = [
  mapping(['LOWER'], 'lower', 'Small letters.'),
  mapping(['UPPER'], 'upper', 'Capital letters.'),
  fixedFunction({
    names: ['REVERSE'],
    fn: 'reverse',
    bytesFn: 'bytes_reverse',
    takes: [STRING],
    returns: STRING,
    safe: 'never fails',
    usage: 'REVERSE(text)',
    summary: 'The characters, or bytes, from last to first.',
  }),
  trimming('TRIM', 'trim', 'Without white space, or the characters given, at both ends.'),
  trimming('LTRIM', 'trim_start', 'Without white space, or the characters given, at the start.'),
  trimming('RTRIM', 'trim_end', 'Without white space, or the characters given, at the end.'),
  fixedFunction({
    names: ['LENGTH'],
    fn: 'length',
    bytesFn: 'bytes_length',
    takes: [STRING],
    returns: INT64,
    safe: 'never fails',
    usage: 'LENGTH(text)',
    summary: 'The number of characters, or of bytes.',
  }),
  fixedFunction({
    names: ['CHAR_LENGTH', 'CHARACTER_LENGTH'],
    fn: 'length',
    takes: [STRING],
    returns: INT64,
    safe: 'never fails',
    usage: 'CHAR_LENGTH(text)',
    summary: 'The number of characters.',
  }),
  fixedFunction({
    names: ['BYTE_LENGTH', 'OCTET_LENGTH'],
    fn: 'byte_length',
    bytesFn: 'bytes_length',
    takes: [STRING],
    returns: INT64,
    safe: 'never fails',
    usage: 'BYTE_LENGTH(text)',
    summary: 'The number of bytes, of a text in UTF-8.',
  }),
  testing('STARTS_WITH', 'starts_with', 'STARTS_WITH(text, prefix)', 'Whether a text begins with another.'),
  testing('ENDS_WITH', 'ends_with', 'ENDS_WITH(text, suffix)', 'Whether a text ends with another.'),
  testing(
    'CONTAINS_SUBSTR',
    'contains_substr',
    'CONTAINS_SUBSTR(text, part)',
    'Whether a text holds another, in any case.'
  ),
  fixedFunction({
    names: ['STRPOS'],
    fn: 'strpos',
    bytesFn: 'bytes_strpos',
    takes: [STRING, STRING],
    returns: INT64,
    safe: 'never fails',
    usage: 'STRPOS(text, part)',
    summary: 'Where a text first holds another, from 1; 0 when it does not.',
  }),
  fixedFunction({
    names: ['REPLACE'],
    fn: 'replace',
    bytesFn: 'bytes_replace',
    takes: [STRING, STRING, STRING],
    returns: STRING,
    usage: 'REPLACE(text, from, to)',
    summary: 'With every occurrence replaced.',
  }),
  {
    names: ['CONCAT'],
    kind: 'scalar',
    safe: 'never fails',
    usage: 'CONCAT(value, ...)',
    summary: 'Texts one after the other, numbers and times as CAST writes them; NULL when any is NULL.',
    resolve: (call, ctx) => {
      checkCount(call, ctx, 'CONCAT(value, ...)', 1, Infinity);
      const args = call.args.map((_, index) => argument(call, ctx, index));
      const { fn, type, values } = joined(args, ctx, (index) => argumentName(call, index));
      return callValue(call, fn, values, type);
    },
  },
];

function mapping(names: readonly string[], fn: 'lower' | 'upper', summary: string): FunctionSpec {
  return fixedFunction({
    names,
    fn,
    takes: [STRING],
    returns: STRING,
    safe: 'never fails',
    usage: `${names[0]}(text)`,
    summary,
  });
}

function trimming(name: string, fn: 'trim' | 'trim_start' | 'trim_end', summary: string): FunctionSpec {
  const usage = `${name}(text[, characters])`;
  return fixedFunction({
    names: [name],
    fn,
    bytesFn: `bytes_${fn}`,
    takes: [STRING, STRING],
    required: 1,
    returns: STRING,
    safe: 'never fails',
    usage,
    summary,
  });
}

function testing(
  name: string,
  fn: 'starts_with' | 'ends_with' | 'contains_substr',
  usage: string,
  summary: string
): FunctionSpec {
  return fixedFunction({
    names: [name],
    fn,
    ...(fn === 'contains_substr' ? {} : { bytesFn: `bytes_${fn}` as const }),
    takes: [STRING, STRING],
    returns: BOOL,
    safe: 'never fails',
    usage,
    summary,
  });
}
