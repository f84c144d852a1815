/** REGEXP_CONTAINS, REGEXP_EXTRACT and REGEXP_REPLACE. */
import { BOOL, STRING } from '../../ir/types';
import { callValue, checkCount, constantArgument, typedArgument } from '../arguments';
import type { FunctionSpec } from '../function';
import { patternArgument } from './regular-expression';

/** No character that means something in a regular expression. */
const PLAIN_TEXT = /^[^\\^$.|?*+()[\]{}]*$/;

export const regexpContains: FunctionSpec = {
  names: ['REGEXP_CONTAINS'],
  kind: 'scalar',
  safe: false,
  usage: 'REGEXP_CONTAINS(text, pattern)',
  summary: 'Whether a text holds a match of a regular expression (RE2) anywhere.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, regexpContains.usage, 2);
    const text = typedArgument(call, ctx, 0, STRING);
    const { value: pattern } = patternArgument(call, ctx, 1);
    const constant = ctx.constant(pattern)?.value;
    // Letters alone match themselves, and stores search for them faster than for a pattern.
    const fn = typeof constant === 'string' && PLAIN_TEXT.test(constant) ? 'contains' : 'regexp_contains';
    return callValue(call, fn, [text, pattern], BOOL);
  },
};

export const regexpExtract: FunctionSpec = {
  names: ['REGEXP_EXTRACT', 'REGEXP_SUBSTR'],
  kind: 'scalar',
  safe: false,
  usage: 'REGEXP_EXTRACT(text, pattern)',
  summary: 'The first match of a regular expression, or of its one group; NULL when there is none.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, regexpExtract.usage, 2);
    const text = typedArgument(call, ctx, 0, STRING);
    const { value, groups } = patternArgument(call, ctx, 1);
    if (groups > 1) {
      ctx.fail(
        'bad_regex',
        `the pattern of ${call.name} has ${groups} groups; it may have one`,
        value.position,
        'write (?:...) for a group that is not extracted'
      );
    }
    return callValue(call, 'regexp_extract', [text, value], STRING, { group: groups });
  },
};

export const regexpReplace: FunctionSpec = {
  names: ['REGEXP_REPLACE'],
  kind: 'scalar',
  safe: false,
  usage: 'REGEXP_REPLACE(text, pattern, replacement)',
  summary: 'With every match replaced; \\1 to \\9 in the replacement stand for groups, \\0 for the match.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, regexpReplace.usage, 3);
    const text = typedArgument(call, ctx, 0, STRING);
    const { value: pattern, groups } = patternArgument(call, ctx, 1);
    const { value: replacement, constant } = constantArgument(call, ctx, 2, STRING);
    const problem =
      constant === null || ctx.constant(pattern)?.value === null ? undefined : faultOf(String(constant), groups);
    if (problem !== undefined) ctx.fail('bad_regex', `invalid replacement: ${problem}`, replacement.position);
    return callValue(call, 'regexp_replace', [text, pattern, replacement], STRING);
  },
};

function faultOf(replacement: string, groups: number): string | undefined {
  for (const [escape, digit] of replacement.matchAll(/\\(?:(\d)|[^]|$)/g)) {
    if (digit !== undefined && Number(digit) > groups) return `${escape} names a group that the pattern does not have`;
    if (digit === undefined && escape !== '\\\\') return 'a backslash must be followed by a digit or a backslash';
  }
  return undefined;
}
