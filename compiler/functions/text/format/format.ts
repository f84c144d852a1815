/**
 * FORMAT(format, value, ...): the format is a constant; each directive becomes an expression, and all are concatenated.
 */
import type { CallExpression } from '../../../ast';
import type { Expr } from '../../../ir/expression';
import { arrayOf, BOOL, FLOAT64, INT64, isOrdered, shortTypeName, STRING } from '../../../ir/types';
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
import { isWithinLimits, parseFormat, type Directive, type WholeCode } from './format-directives';
import { callOf } from '../../../ir/operations/call';
import { overElements } from '../../../ir/operations/lambda';

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

function wholeText(value: Value, code: WholeCode, what: string, ctx: CallContext): Expr {
  switch (code) {
    case 's':
      return ctx.coerce(value, STRING, what).expr;
    case 'T':
      return value.type.kind === 'ARRAY' ? listText(value, code, what, ctx) : literalOf(value, what, ctx);
    case 'p':
    case 'P':
      if (value.type.kind === 'JSON') return jsonText(value, code);
      return ctx.fail('type_mismatch', `${what} must be JSON for %${code}`, value.position, 'use TO_JSON(...)');
    case 't':
      return anyText(value, what, ctx);
  }
}

function anyText(value: Value, what: string, ctx: CallContext): Expr {
  const { type, expr, position } = value;
  if (type.kind === 'ARRAY') return listText(value, 't', what, ctx);
  if (type.kind === 'JSON') return callOf('coalesce', [jsonText(value, 'p'), text('NULL')], STRING);
  if (!isOrdered(type) || type.kind === 'BYTES') {
    ctx.fail('type_mismatch', `${what} cannot be ${shortTypeName(type)}`, position, 'use TO_JSON_STRING(...)');
  }
  const written =
    type.kind === 'STRING' || type.kind === 'NULL'
      ? ctx.coerce(value, STRING, what).expr
      : type.kind === 'FLOAT64'
        ? withFraction(expr)
        : asText(expr);
  return callOf('coalesce', [written, text('NULL')], STRING);
}

function jsonText({ type, expr }: Value, code: 'p' | 'P'): Expr {
  const line = callOf('to_json_string', [expr], STRING, { as: type.kind });
  const then = code === 'p' ? line : callOf('pretty_json', [line], STRING);
  // The text of NULL would be that of the JSON null.
  const when = callOf('is_not_null', [expr], BOOL);
  return { kind: 'case', branches: [{ when, then }], otherwise: null, type: STRING };
}

/** `[1, 2]` */
function listText(value: Value, code: 't' | 'T', what: string, ctx: CallContext): Expr {
  const { type, position } = value;
  if (type.kind !== 'ARRAY') throw new Error('A list is an array.');
  const written = overElements('f1', type.element, (expr) =>
    wholeText({ expr, type: type.element, text: null, position }, code, `an element of ${what}`, ctx)
  );
  const texts = callOf('list_map', [ctx.materialize(value), written], arrayOf(STRING));
  const joined = callOf('array_to_string', [texts, text(', ')], STRING);
  return callOf('coalesce', [callOf('concat', [text('['), joined, text(']')], STRING), text('NULL')], STRING);
}

/** What stands around the text of a value in its literal. */
const LITERALS: Readonly<Record<string, readonly [string, string]>> = {
  INT64: ['', ''],
  BOOL: ['', ''],
  DATE: ['DATE "', '"'],
  TIME: ['TIME "', '"'],
  DATETIME: ['DATETIME "', '"'],
  TIMESTAMP: ['TIMESTAMP "', '"'],
  INTERVAL: ['INTERVAL "', '" YEAR TO SECOND'],
};

/** @throws not_supported for texts, lists and structs */
function literalOf({ type, expr, position }: Value, what: string, ctx: CallContext): Expr {
  if (type.kind === 'NULL') return text('NULL');
  if (type.kind === 'FLOAT64') {
    const written = asText(expr);
    const special: Expr = callOf('regexp_contains', [written, text('^-?[a-z]+$')], BOOL);
    const then = callOf('concat', [text('CAST("'), written, text('" AS FLOAT64)')], STRING);
    const number: Expr = {
      kind: 'case',
      branches: [{ when: special, then }],
      otherwise: withFraction(expr),
      type: STRING,
    };
    return callOf('coalesce', [number, text('NULL')], STRING);
  }
  const around = LITERALS[type.kind];
  if (around === undefined) {
    return ctx.fail(
      'not_supported',
      `%T of ${what}, a ${shortTypeName(type)}, is not supported`,
      position,
      'use TO_JSON_STRING(...)'
    );
  }
  const [before, after] = around;
  return callOf(
    'coalesce',
    [callOf('concat', [text(before), asText(expr), text(after)], STRING), text('NULL')],
    STRING
  );
}

/** `1.0` for a whole number that is a FLOAT64. Its text has no sign where it is a negative zero. */
function withFraction(value: Expr): Expr {
  const written = asText(value);
  const zero: Expr = { kind: 'literal', type: FLOAT64, value: 0 };
  const one: Expr = { kind: 'literal', type: FLOAT64, value: 1 };
  const isZero: Expr = callOf('eq', [value, zero], BOOL);
  const isNegative: Expr = callOf('lt', [callOf('ieee_divide', [one, value], FLOAT64), zero], BOOL);
  const isWhole: Expr = callOf('regexp_contains', [written, text('^-?[0-9]+$')], BOOL);
  const then = callOf('concat', [written, text('.0')], STRING);
  return {
    kind: 'case',
    branches: [
      { when: callOf('and', [isZero, isNegative], BOOL), then: text('-0.0') },
      { when: isWhole, then },
    ],
    otherwise: written,
    type: STRING,
  };
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

function asText(operand: Expr): Expr {
  return { kind: 'cast', operand, type: STRING, safe: false };
}

function text(value: string): Expr {
  return { kind: 'literal', type: STRING, value };
}
