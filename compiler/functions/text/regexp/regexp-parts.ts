/** REGEXP_INSTR and REGEXP_EXTRACT_GROUPS: where a match begins, and its groups. */
import type { CallExpression } from '../../../ast';
import { callOf } from '../../../ir/operations/call';
import type { Expr } from '../../../ir/expression';
import { BOOL, FLOAT64, INT64, STRING, type StructField, type Type, unnamedField } from '../../../ir/types';
import {
  argumentName,
  checkCount,
  constantArgument,
  nullValue,
  typedArgument,
  valueOf,
  wholeNumber,
  argumentsAt,
} from '../../arguments';
import type { CallContext, FunctionSpec, Value } from '../../function';
import type { GroupFacts } from './pattern-facts';
import { patternArgument, type Pattern, writtenPattern } from './regular-expression';

export const regexpInstr: FunctionSpec = {
  names: ['REGEXP_INSTR'],
  kind: 'scalar',
  safe: true,
  constants: argumentsAt(1, 2, 3, 4),
  usage: 'REGEXP_INSTR(text, pattern[, position[, 1[, 0 or 1]]])',
  summary:
    'Where the first match of a regular expression begins, or with 1 as last argument where it ends, from 1; 0 without a match.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, regexpInstr.usage, 2, 5);
    const text = typedArgument(call, ctx, 0, STRING);
    const pattern = patternArgument(call, ctx);
    const position = whole(call, ctx, 2, 1n, 1n);
    const occurrence = whole(call, ctx, 3, 1n, 1n);
    const end = whole(call, ctx, 4, 0n, 0n, 1n);
    const known = ctx.constant(pattern.value)?.value;
    if (position === null || occurrence === null || end === null || typeof known !== 'string') {
      return nullValue(call, INT64);
    }
    ensureFound(call, ctx, pattern, occurrence);
    const searched =
      position === 1n ? text.expr : callOf('substr', [text.expr, wholeNumber(position)], STRING, { safe: false });
    const before = end === 1n ? `^((?s:.*?)(?:${known}))` : `^((?s:.*?))(?:${known})`;
    const prefix = callOf('regexp_extract', [searched, writtenPattern(before)], STRING, {
      group: 1,
      emptyIsNull: false,
    });
    const place = callOf('add', [callOf('length', [prefix], INT64), wholeNumber(position)], INT64);
    const found = callOf('coalesce', [place, wholeNumber(0n)], INT64);
    const when = callOf('is_not_null', [text.expr], BOOL);
    return valueOf(call, { kind: 'case', branches: [{ when, then: found }], otherwise: null, type: INT64 });
  },
};

function ensureFound(call: CallExpression, ctx: CallContext, { value, facts }: Pattern, occurrence: bigint): void {
  const problem =
    occurrence > 1n
      ? 'finds the first match only'
      : facts.groups.length > 0
        ? 'takes no pattern with a group'
        : facts.empty !== 'never'
          ? 'takes no pattern that may match no characters'
          : undefined;
  if (problem === undefined) return;
  const hint = facts.groups.length > 0 ? 'write (?:...) for the group' : 'search from a later position';
  ctx.fail('not_supported', `${call.name} ${problem}`, value.position, hint);
}

/** A constant from `least` to `most`; null for NULL, and with SAFE for others. @throws wrong_arguments, not_constant */
function whole(call: CallExpression, ctx: CallContext, index: number, otherwise: bigint, least: bigint, most?: bigint) {
  if (index >= call.args.length) return otherwise;
  const { value, constant } = constantArgument(call, ctx, index, INT64);
  if (constant === null) return null;
  const number = BigInt(constant);
  if (number >= least && (most === undefined || number <= most)) return number;
  if (call.safe) return null;
  const range = most === undefined ? `from ${least}` : `${least} or ${most}`;
  return ctx.fail('wrong_arguments', `${argumentName(call, index)} must be a whole number ${range}`, value.position);
}

const TYPES: Readonly<Record<string, Type>> = { STRING, INT64, FLOAT64, BOOL };

export const regexpExtractGroups: FunctionSpec = {
  names: ['REGEXP_EXTRACT_GROUPS'],
  kind: 'scalar',
  safe: 'never fails',
  usage: 'REGEXP_EXTRACT_GROUPS(text, pattern)',
  summary:
    'The groups of the first match of a regular expression, as a STRUCT with their names; NULL without a match. (?P<n__INT64>...) is an INT64.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, regexpExtractGroups.usage, 2);
    const text = typedArgument(call, ctx, 0, STRING);
    const pattern = patternArgument(call, ctx);
    const { groups } = pattern.facts;
    if (groups.length === 0) {
      ctx.fail(
        'bad_regex',
        `the pattern of ${call.name} has no group`,
        pattern.value.position,
        'write (...) around a part'
      );
    }
    const fields = groups.map((group, index) => groupOf(call, ctx, { text, pattern, group, index }));
    const type: Type = {
      kind: 'STRUCT',
      fields: fields.map(({ name, expr }): StructField => ({ name, type: expr.type })),
    };
    const when = callOf('regexp_contains', [text.expr, pattern.value.expr], BOOL);
    const then: Expr = { kind: 'struct', fields, type };
    return valueOf(call, { kind: 'case', branches: [{ when, then }], otherwise: null, type });
  },
};

interface WrittenGroup {
  readonly text: Value;
  readonly pattern: Pattern;
  readonly group: GroupFacts;
  readonly index: number;
}

function groupOf(call: CallExpression, ctx: CallContext, { text, pattern, group, index }: WrittenGroup) {
  if (group.maySkip && group.mayBeEmpty) {
    ctx.fail(
      'not_supported',
      `group ${index + 1} in the pattern of ${call.name} may match no characters or be left out, which stores do not tell apart`,
      pattern.value.position,
      'write + instead of * in the group'
    );
  }
  const [name = '', typeName] = (group.name ?? '').split('__');
  const type = typeName === undefined ? STRING : TYPES[typeName.toUpperCase()];
  if (type === undefined) {
    return ctx.fail(
      'not_supported',
      `a group cannot become ${typeName}`,
      pattern.value.position,
      `types are ${Object.keys(TYPES).join(', ')}`
    );
  }
  const options = { group: index + 1, emptyIsNull: group.maySkip };
  const found = callOf('regexp_extract', [text.expr, pattern.value.expr], STRING, options);
  const expr: Expr = type.kind === 'STRING' ? found : { kind: 'cast', operand: found, type, safe: call.safe };
  return { name: name === '' ? unnamedField(index) : name, expr };
}
