/**
 * FORMAT(format, value, ...): the format is a constant; each directive becomes an expression, and all are concatenated.
 */
import type { CallExpression } from '../../../ast';
import type { Expr } from '../../../ir/expression';
import { BOOL, FLOAT64, INT64, STRING } from '../../../ir/types';
import {
  argument,
  argumentName,
  constantArgument,
  nullValue,
  valueOf,
  wholeNumber,
  argumentsAt,
} from '../../arguments';
import type { CallContext, FunctionSpec, Value } from '../../function';
import { isWithinLimits, parseFormat, type Directive } from './format-directives';
import { callOf } from '../../../ir/operations/call';
import { asText, text, wholeText } from './whole-text';

const USAGE = "FORMAT('%s: %d', value, ...)";
/** Characters of a format. */
const MAX_LENGTH = 1_000;

export const format: FunctionSpec = {
  names: ['FORMAT'],
  kind: 'scalar',
  safe: true,
  constants: argumentsAt(0),
  usage: USAGE,
  summary:
    'A text made of a constant format and values: %s a text, %d a whole number, %.2f a number, %x a number to another base, %e a number with an exponent, %t any value, %T one as a literal, %p JSON, * a width or digits of an argument, %% a percent sign.',
  resolve: (call, ctx) => {
    if (call.args.length === 0) {
      ctx.fail('wrong_arguments', 'FORMAT expects 1 or more arguments, found 0', call.namePosition, `write ${USAGE}`);
    }
    const { constant } = constantArgument(call, ctx, 0, STRING);
    if (constant === null) return nullValue(call, STRING);
    const parts = partsOf(call, ctx, String(constant));
    if (parts === null) return nullValue(call, STRING);
    const [first, ...others] = parts;
    return valueOf(call, first === undefined ? text('') : callOf('concat', [first, ...others], STRING));
  },
};

function partsOf(call: CallExpression, ctx: CallContext, pattern: string): readonly Expr[] | null {
  const position = call.args[0]?.position ?? call.position;
  if (pattern.length > MAX_LENGTH) {
    ctx.fail(
      'too_complex',
      `the format of FORMAT is longer than ${MAX_LENGTH.toLocaleString('en-US')} characters`,
      position
    );
  }
  const parsed = parseFormat(pattern);
  if ('problem' in parsed)
    return ctx.fail('bad_format', `FORMAT does not know ${parsed.problem}`, position, parsed.hint);
  const wanted = parsed.elements.reduce(
    (count, element) => count + (typeof element === 'string' ? 0 : 1 + element.given.length),
    0
  );
  if (call.args.length - 1 !== wanted) {
    const found = call.args.length - 1;
    ctx.fail(
      'wrong_arguments',
      `the format of FORMAT names ${wanted} ${wanted === 1 ? 'value' : 'values'}, found ${found}`,
      position,
      `write ${USAGE}`
    );
  }
  let next = 0;
  const parts: Expr[] = [];
  for (const element of parsed.elements) {
    if (typeof element === 'string') {
      parts.push(text(element));
      continue;
    }
    const directive = withGiven(call, ctx, element, next + 1);
    if (directive === null) return null;
    next += 1 + element.given.length;
    parts.push(textOf(argument(call, ctx, next), directive, argumentName(call, next), ctx));
  }
  return parts;
}

/** Reads widths and digits of arguments, which are constants. Null if one is NULL. @param from index of the first */
function withGiven(call: CallExpression, ctx: CallContext, directive: Directive, from: number): Directive | null {
  let known = directive;
  for (const [offset, what] of directive.given.entries()) {
    const { value, constant } = constantArgument(call, ctx, from + offset, INT64);
    if (constant === null) return null;
    const count = Number(constant);
    // A negative width fills the right side; a negative number of digits counts for none.
    if (what === 'width') known = { ...known, width: Math.abs(count), fill: count < 0 ? 'right' : known.fill };
    else known = { ...known, precision: count < 0 ? null : count };
    if (!isWithinLimits(known)) {
      ctx.fail('wrong_arguments', `${argumentName(call, from + offset)} is too large`, value.position);
    }
  }
  return known;
}

function textOf(value: Value, directive: Directive, what: string, ctx: CallContext): Expr {
  const { code, precision, alternate: point } = directive;
  switch (code) {
    case 'd':
      return laidOut(asText(ctx.coerce(value, INT64, what).expr), directive);
    case 'o':
    case 'x':
    case 'X':
      return laidOut(callOf('format_base', [ctx.coerce(value, INT64, what).expr], STRING, { code }), directive);
    case 'f':
    case 'F': {
      const options = { code, digits: precision ?? 6, point };
      return laidOut(callOf('format_fixed', [ctx.coerce(value, FLOAT64, what).expr], STRING, options), directive);
    }
    case 'e':
    case 'E':
    case 'g':
    case 'G': {
      const options = { code, digits: precision ?? 6, point };
      return laidOut(callOf('format_exponent', [ctx.coerce(value, FLOAT64, what).expr], STRING, options), directive);
    }
    default:
      return padded(shortened(wholeText(value, code, what, ctx), directive), directive);
  }
}

const PREFIXES: Readonly<Record<string, '0' | '0x' | '0X'>> = { o: '0', x: '0x', X: '0X' };
const HEX_GROUPS = { digits: '0-9a-fA-F', size: 4, separator: ':' };
const OCTAL_GROUPS = { digits: '0-7', size: 4, separator: ',' };
const THOUSANDS = { digits: '0-9', size: 3, separator: ',' };

/** The text of a number with what flags, least digits and width add. */
function laidOut(written: Expr, { code, sign, alternate, grouped, precision, width, fill }: Directive): Expr {
  const prefix = (alternate && PREFIXES[code]) || '';
  // Zero has a digit to the base 16 or 8 even without digits.
  const least = code === 'd' || (precision !== 0 && PREFIXES[code] !== undefined) ? precision : null;
  const group = !grouped ? null : code === 'o' ? OCTAL_GROUPS : 'xX'.includes(code) ? HEX_GROUPS : THOUSANDS;
  if (sign === '' && prefix === '' && least === null && group === null && width === 0) return written;
  return callOf('format_layout', [written], STRING, {
    sign,
    prefix,
    least,
    group,
    width,
    fill: fill === 'zeros' && code === 'd' && least !== null ? 'left' : fill,
  });
}

/** At most as many characters as the precision says. */
function shortened(value: Expr, { precision }: Directive): Expr {
  if (precision === null) return value;
  return callOf('left', [value, wholeNumber(BigInt(precision))], STRING, { safe: false });
}

function padded(value: Expr, { width, fill }: Directive): Expr {
  return width === 0 ? value : filled(value, width, fill === 'right' ? 'pad_right' : 'pad_left', ' ');
}

function filled(value: Expr, width: number, fn: 'pad_left' | 'pad_right', pattern: string): Expr {
  const length: Expr = callOf('length', [value], INT64);
  const isLong: Expr = callOf('ge', [length, wholeNumber(BigInt(width))], BOOL);
  const otherwise = callOf(fn, [value, wholeNumber(BigInt(width)), text(pattern)], STRING);
  return { kind: 'case', branches: [{ when: isLong, then: value }], otherwise, type: STRING };
}
