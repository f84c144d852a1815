/** INSTR: a later occurrence, and a search from a position on, which are constants. */
import type { CallExpression } from '../../ast';
import { INT64, STRING } from '../../ir/types';
import {
  argumentName,
  callValue,
  checkCount,
  constantArgument,
  nullValue,
  textOrBytes,
  argumentsAt,
} from '../arguments';
import type { CallContext, FunctionSpec } from '../function';

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
  summary: `Where a text holds another, from 1; 0 when it does not. Position and occurrence (to ${MAX_OCCURRENCE}) are constants.`,
  resolve: (call, ctx) => {
    checkCount(call, ctx, instr.usage, 2, 4);
    const { isBytes, args: given } = textOrBytes(call, ctx, [STRING, STRING, INT64, INT64]);
    const args = given.slice(0, 2);
    const [position, occurrence] = [place(call, ctx, 2, MAX_POSITION), place(call, ctx, 3, BigInt(MAX_OCCURRENCE))];
    if (position === null || occurrence === null) return nullValue(call, INT64);
    if (position === 1 && occurrence === 1) return callValue(call, isBytes ? 'bytes_strpos' : 'strpos', args, INT64);
    if (isBytes)
      ctx.fail('not_supported', 'INSTR of BYTES finds the first occurrence', call.position, 'use SUBSTR first');
    return callValue(call, 'strpos_from', args, INT64, { position, occurrence });
  },
};

/** A positive constant, by default 1; null for NULL. @throws not_constant, wrong_arguments, not_supported */
function place(call: CallExpression, ctx: CallContext, index: number, most: bigint): number | null {
  if (index >= call.args.length) return 1;
  const { value, constant } = constantArgument(call, ctx, index, INT64);
  if (constant === null) return null;
  const whole = constant as bigint;
  if (index === 2 && whole < 0n) {
    ctx.fail(
      'not_supported',
      'INSTR searches from the start of a text',
      value.position,
      'to search from the end, REVERSE the text and the part'
    );
  }
  if (whole < 1n && call.safe) return null;
  if (whole < 1n) {
    ctx.fail('wrong_arguments', `${argumentName(call, index)} must be a whole number from 1`, value.position);
  }
  if (whole > most && index === 3) {
    ctx.fail('too_complex', `INSTR finds occurrences up to number ${most}`, value.position);
  }
  return Number(whole > most ? most : whole);
}
