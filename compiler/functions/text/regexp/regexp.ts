/** REGEXP_CONTAINS, REGEXP_EXTRACT, REGEXP_EXTRACT_ALL and REGEXP_REPLACE. */
import type { CallExpression } from '../../../ast';
import { callOf } from '../../../ir/operations/call';
import { arrayOf, BOOL, INT64, STRING } from '../../../ir/types';
import {
  argumentName,
  callValue,
  checkCount,
  constantArgument,
  nullValue,
  typedArgument,
  valueOf,
  wholeNumber,
  argumentsAt,
} from '../../arguments';
import type { CallContext, FunctionSpec, Value } from '../../function';
import type { GroupFacts, PatternFacts } from './pattern-facts';
import { noPattern, patternArgument, type Pattern } from './regular-expression';

/** Text without special characters of regular expressions. */
const PLAIN_TEXT = /^[^\\^$.|?*+()[\]{}]*$/;

export const regexpContains: FunctionSpec = {
  names: ['REGEXP_CONTAINS'],
  kind: 'scalar',
  safe: 'never fails',
  constants: argumentsAt(1),
  usage: 'REGEXP_CONTAINS(text, pattern)',
  summary: 'Whether a text holds a match of a regular expression (RE2) anywhere.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, regexpContains.usage, 2);
    const text = typedArgument(call, ctx, 0, STRING);
    const { value: pattern } = patternArgument(call, ctx);
    const constant = ctx.constant(pattern)?.value;
    // A plain text matches only itself, and stores search for it faster than for a pattern.
    const fn = typeof constant === 'string' && PLAIN_TEXT.test(constant) ? 'contains' : 'regexp_contains';
    return callValue(call, fn, [text, pattern], BOOL);
  },
};

export const regexpExtract: FunctionSpec = {
  names: ['REGEXP_EXTRACT', 'REGEXP_SUBSTR'],
  kind: 'scalar',
  safe: 'never fails',
  constants: argumentsAt(1, 2, 3),
  usage: 'REGEXP_EXTRACT(text, pattern[, position[, occurrence]])',
  summary: 'The first match of a regular expression, or of its one group; NULL without a match.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, regexpExtract.usage, 2, 4);
    const { value: pattern, group, facts } = extracted(call, ctx);
    const emptyIsNull = mayTakeNoPart(facts.groups[0], call, ctx);
    const text = fromPosition(call, ctx, typedArgument(call, ctx, 0, STRING), facts);
    const occurrence = call.args.length < 4 ? 1n : countArgument(call, ctx, 3);
    if (text === null || occurrence === null) return nullValue(call, STRING);
    if (occurrence === 1n) return callValue(call, 'regexp_extract', [text, pattern], STRING, { group, emptyIsNull });
    const matches = allMatches(call, ctx, text);
    const item = callOf('list_index', [matches.expr, placeOf(call, occurrence).expr], STRING, { base: 1 });
    // A match that is missing is no failure.
    const found = valueOf(call, { ...item, safe: true });
    if (!emptyIsNull) return found;
    const nothing = valueOf(call, { kind: 'literal', type: STRING, value: '' });
    return callValue(call, 'nullif', [found, nothing], STRING);
  },
};

export const regexpExtractAll: FunctionSpec = {
  names: ['REGEXP_EXTRACT_ALL'],
  kind: 'scalar',
  safe: 'never fails',
  constants: argumentsAt(1),
  usage: 'REGEXP_EXTRACT_ALL(text, pattern)',
  summary: 'All matches of a regular expression, or of its one group, as an array.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, regexpExtractAll.usage, 2);
    return allMatches(call, ctx, typedArgument(call, ctx, 0, STRING));
  },
};

/** The pattern, and the part of a match to return: all of it, or its only group. */
function extracted(call: CallExpression, ctx: CallContext): Pattern & { readonly group: 0 | 1 } {
  const pattern = patternArgument(call, ctx);
  const groups = pattern.facts.groups.length;
  if (groups <= 1) return { ...pattern, group: groups === 1 ? 1 : 0 };
  if (call.safe) return { ...noPattern(pattern.value), group: 0 };
  return ctx.fail(
    'bad_regex',
    `the pattern of ${call.name} has ${groups} groups; it may have one`,
    pattern.value.position,
    'write (?:...) for a group that is not extracted'
  );
}

/** The list of matches of the pattern in argument 2. @throws not_supported */
function allMatches(call: CallExpression, ctx: CallContext, text: Value): Value {
  const { value, group, facts } = extracted(call, ctx);
  if (facts.empty === 'on condition' || facts.empty === 'mixed') {
    ctx.fail(
      'not_supported',
      `the pattern of ${call.name} may match no characters at ^, $ or \\b, which stores list differently`,
      value.position,
      'write a pattern that matches at least one character'
    );
  }
  const empty = facts.empty === 'everywhere';
  return callValue(call, 'regexp_extract_all', [text, value], arrayOf(STRING), { group, empty });
}

/**
 * Whether an empty text of a group means that the group took no part in the match. Stores return an empty text for
 * both.
 * @throws not_supported if the group may also match no characters
 */
function mayTakeNoPart(group: GroupFacts | undefined, call: CallExpression, ctx: CallContext): boolean {
  if (group?.maySkip !== true) return false;
  if (!group.mayBeEmpty) return true;
  return ctx.fail(
    'not_supported',
    `the group in the pattern of ${call.name} may match no characters or be left out, which stores do not tell apart`,
    call.args[1]?.position ?? call.position,
    'write + instead of * in the group'
  );
}

function placeOf(call: CallExpression, place: bigint): Value {
  return valueOf(call, wholeNumber(place));
}

/** The text from the position in argument 3; null for a NULL position. */
function fromPosition(call: CallExpression, ctx: CallContext, text: Value, { empty }: PatternFacts): Value | null {
  if (call.args.length < 3) return text;
  const position = countArgument(call, ctx, 2);
  if (position === null || position === 1n) return position === null ? null : text;
  const start = valueOf(call, wholeNumber(position));
  const rest = callValue(call, 'substr', [text, start], STRING, { safe: false });
  if (empty === 'never') return rest;
  // As in the reference, nothing matches behind the last byte, not even no characters.
  const when = callOf('ge', [callOf('byte_length', [text.expr], INT64), start.expr], BOOL);
  return valueOf(call, { kind: 'case', branches: [{ when, then: rest.expr }], otherwise: null, type: STRING });
}

/** A positive constant; null for NULL. @throws not_constant, wrong_arguments */
function countArgument(call: CallExpression, ctx: CallContext, index: number): bigint | null {
  const { value, constant } = constantArgument(call, ctx, index, INT64);
  if (constant === null) return null;
  if (typeof constant === 'bigint' && constant >= 1n) return constant;
  if (call.safe) return null;
  return ctx.fail('wrong_arguments', `${argumentName(call, index)} must be a whole number from 1`, value.position);
}

export const regexpReplace: FunctionSpec = {
  names: ['REGEXP_REPLACE'],
  kind: 'scalar',
  safe: true,
  constants: argumentsAt(1, 2),
  usage: 'REGEXP_REPLACE(text, pattern, replacement)',
  summary: 'With every match replaced; \\1 to \\9 in the replacement are groups, \\0 for the match.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, regexpReplace.usage, 3);
    const text = typedArgument(call, ctx, 0, STRING);
    const { value: pattern, facts } = patternArgument(call, ctx);
    const { value: replacement, constant } = constantArgument(call, ctx, 2, STRING);
    const problem =
      constant === null || ctx.constant(pattern)?.value === null
        ? undefined
        : faultOf(String(constant), facts.groups.length);
    if (problem !== undefined && call.safe) return nullValue(call, STRING);
    if (problem !== undefined) ctx.fail('bad_regex', `invalid replacement: ${problem}`, replacement.position);
    const empty = facts.empty !== 'never';
    return callValue(call, 'regexp_replace', [text, pattern, replacement], STRING, { empty });
  },
};

function faultOf(replacement: string, groups: number): string | undefined {
  for (const [escape, digit] of replacement.matchAll(/\\(?:(\d)|[^]|$)/g)) {
    if (digit !== undefined && Number(digit) > groups) return `${escape} names a group that the pattern does not have`;
    if (digit === undefined && escape !== '\\\\') return 'a backslash must be followed by a digit or a backslash';
  }
  return undefined;
}
