/** Functions that extract a part of a text or lengthen it. A negative length is an error; with SAFE. it gives NULL. */
import type { CallExpression } from '../../ast';
import { MAX_TEXT_BYTES } from '../limits';
import { BYTES, INT64, STRING } from '../../ir/types';
import { callValue, checkCount, nullValue, textOrBytes } from '../arguments';
import type { CallContext, FunctionSpec, Value } from '../function';

export const substr: FunctionSpec = {
  names: ['SUBSTR', 'SUBSTRING'],
  kind: 'scalar',
  safe: true,
  usage: 'SUBSTR(text, start[, length])',
  summary: 'The part from a position on, counted from 1; a negative position counts from the end.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, substr.usage, 2, 3);
    const { isBytes, args } = textOrBytes(call, ctx, [STRING, INT64, INT64]);
    const type = isBytes ? BYTES : STRING;
    if (isNegative(args[2], call, ctx)) return nullValue(call, type);
    return callValue(call, isBytes ? 'bytes_substr' : 'substr', args, type, { safe: call.safe });
  },
};

export const left = side('LEFT', 'left', 'The first characters.');
export const right = side('RIGHT', 'right', 'The last characters.');

export const repeat: FunctionSpec = {
  names: ['REPEAT'],
  kind: 'scalar',
  safe: true,
  usage: 'REPEAT(text, times)',
  summary: `A text several times over, at most ${MAX_TEXT_BYTES.toLocaleString('en-US')} bytes.`,
  resolve: (call, ctx) => {
    checkCount(call, ctx, repeat.usage, 2);
    const { isBytes, args } = textOrBytes(call, ctx, [STRING, INT64]);
    checkLength(args[1], call, ctx);
    return callValue(call, isBytes ? 'bytes_repeat' : 'repeat', args, isBytes ? BYTES : STRING);
  },
};

export const lpad = padding('LPAD', 'pad_left', 'Filled up at the start to a length; a longer text is cut.');
export const rpad = padding('RPAD', 'pad_right', 'Filled up at the end to a length; a longer text is cut.');

function side(name: string, fn: 'left' | 'right', summary: string): FunctionSpec {
  const usage = `${name}(text, length)`;
  return {
    names: [name],
    kind: 'scalar',
    safe: true,
    usage,
    summary,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 2);
      const { isBytes, args } = textOrBytes(call, ctx, [STRING, INT64]);
      const type = isBytes ? BYTES : STRING;
      if (isNegative(args[1], call, ctx)) return nullValue(call, type);
      return callValue(call, isBytes ? `bytes_${fn}` : fn, args, type, { safe: call.safe });
    },
  };
}

function padding(name: string, fn: 'pad_left' | 'pad_right', summary: string): FunctionSpec {
  const usage = `${name}(text, length[, pattern])`;
  return {
    names: [name],
    kind: 'scalar',
    safe: true,
    usage,
    summary,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 2, 3);
      const { isBytes, args: given } = textOrBytes(call, ctx, [STRING, INT64, STRING]);
      const args = [...given];
      const type = isBytes ? BYTES : STRING;
      checkLength(args[1], call, ctx);
      args[2] ??= ctx.coerce(blank(call), type, 'the pattern');
      if (ctx.constant(args[2])?.value === '') {
        ctx.fail('wrong_arguments', `the pattern of ${name} must not be empty`, args[2].position);
      }
      return callValue(call, isBytes ? `bytes_${fn}` : fn, args, type);
    },
  };
}

/**
 * Whether a constant length is negative and the call has SAFE. @throws wrong_arguments if it is negative without SAFE
 */
function isNegative(length: Value | undefined, call: CallExpression, ctx: CallContext): boolean {
  if (length === undefined) return false;
  const constant = ctx.constant(length)?.value;
  if (typeof constant !== 'bigint' || constant >= 0n) return false;
  if (!call.safe) {
    ctx.fail('wrong_arguments', `the length of ${call.name} must not be negative`, length.position);
  }
  return true;
}

/** Checks a constant length at compile time; the store checks others for each row. */
function checkLength(length: Value | undefined, call: CallExpression, ctx: CallContext): void {
  if (length === undefined) return;
  isNegative(length, call, ctx);
  const constant = ctx.constant(length)?.value;
  if (typeof constant !== 'bigint' || constant <= BigInt(MAX_TEXT_BYTES)) return;
  ctx.fail(
    'too_complex',
    `${call.name} makes a text longer than ${MAX_TEXT_BYTES.toLocaleString('en-US')} bytes`,
    length.position
  );
}

function blank(call: CallExpression): Value {
  const expr = { kind: 'literal', type: STRING, value: ' ' } as const;
  return { expr, type: STRING, text: 'literal', position: call.position };
}
