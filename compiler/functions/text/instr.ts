/** INSTR: a later occurrence, and a search from a position on, which are constants. */
import type { CallExpression } from '../../ast';
import { callOf } from '../../ir/operations/call';
import type { Expr } from '../../ir/expression';
import { BOOL, INT64, STRING } from '../../ir/types';
import {
  argumentName,
  callValue,
  checkCount,
  constantArgument,
  nullValue,
  textOrBytes,
  argumentsAt,
  valueOf,
  wholeNumber,
} from '../arguments';
import type { CallContext, FunctionSpec, Value } from '../function';
import { itemAt } from '../../items';

/** Maximum number of an occurrence: stores search once for each. */
const MAX_OCCURRENCE = 10;
/** Longer than any text. */
const MAX_POSITION = 4_294_967_295n;

export const instr: FunctionSpec = {
  names: ['INSTR'],
  kind: 'scalar',
  safe: true,
  constants: argumentsAt(2, 3),
  usage: 'INSTR(text, part[, position[, occurrence]])',
  summary: `Where a text holds another, from 1; 0 when it does not. Position and occurrence (to ${MAX_OCCURRENCE}) are constants; a negative position searches from the end, for a constant part.`,
  resolve: (call, ctx) => {
    checkCount(call, ctx, instr.usage, 2, 4);
    const { isBytes, args: given } = textOrBytes(call, ctx, [STRING, STRING, INT64, INT64]);
    const args = given.slice(0, 2);
    const [position, occurrence] = [place(call, ctx, 2, MAX_POSITION), place(call, ctx, 3, BigInt(MAX_OCCURRENCE))];
    if (position === null || occurrence === null) return nullValue(call, INT64);
    if (position < 0) return callFromEnd(call, ctx, args, { position: -position, occurrence }, isBytes);
    if (position === 1 && occurrence === 1) return callValue(call, isBytes ? 'bytes_strpos' : 'strpos', args, INT64);
    if (isBytes)
      ctx.fail('not_supported', 'INSTR of BYTES finds the first occurrence', call.position, 'use SUBSTR first');
    return callValue(call, 'strpos_from', args, INT64, { position, occurrence });
  },
};

/**
 * The search from the end is the search of the reversed part in the reversed text: a match that begins there at `at`
 * begins at `length - at - (length of the part) + 2` here.
 * @throws not_supported for BYTES and a part that is not constant
 */
function callFromEnd(
  call: CallExpression,
  ctx: CallContext,
  args: readonly Value[],
  { position, occurrence }: { readonly position: number; readonly occurrence: number },
  isBytes: boolean
): Value {
  const [x, part] = [itemAt(args, 0), itemAt(args, 1)];
  const constant = ctx.constant(part)?.value;
  if (isBytes || constant === undefined || constant === '') {
    const message = 'INSTR searches from the end for a constant text only';
    return ctx.fail('not_supported', message, part.position, 'REVERSE the text and the part');
  }
  if (constant === null) return nullValue(call, INT64);
  const characters = [...String(constant)].reverse();
  const reversed: Expr = { kind: 'literal', type: STRING, value: characters.join('') };
  const from = Math.max(position - characters.length + 1, 1);
  const at = callOf('strpos_from', [callOf('reverse', [x.expr], STRING), reversed], INT64, {
    position: from,
    occurrence,
  });
  const last = callOf('add', [callOf('length', [x.expr], INT64), wholeNumber(BigInt(2 - characters.length))], INT64);
  const isMissing = callOf('eq', [at, wholeNumber(0n)], BOOL);
  const otherwise = callOf('sub', [last, at], INT64);
  return valueOf(call, {
    kind: 'case',
    branches: [{ when: isMissing, then: wholeNumber(0n) }],
    otherwise,
    type: INT64,
  });
}

/**
 * A constant other than 0, by default 1, and negative for a position only; null for NULL.
 *
 * @throws not_constant, wrong_arguments, not_supported
 */
function place(call: CallExpression, ctx: CallContext, index: number, most: bigint): number | null {
  if (index >= call.args.length) return 1;
  const { value, constant } = constantArgument(call, ctx, index, INT64);
  if (constant === null) return null;
  const whole = constant as bigint;
  if (index === 2 && whole < 0n) return Number(whole < -most ? -most : whole);
  if (whole < 1n && call.safe) return null;
  if (whole < 1n) {
    ctx.fail('wrong_arguments', `${argumentName(call, index)} must be a whole number from 1`, value.position);
  }
  if (whole > most && index === 3) {
    ctx.fail('too_complex', `INSTR finds occurrences up to number ${most}`, value.position);
  }
  return Number(whole > most ? most : whole);
}
