/** FORMAT_* and PARSE_* of TIMESTAMP, DATETIME and DATE. The format is a constant whose codes are validated. */
import type { CallExpression, Expression } from '../../ast';
import type { Expr } from '../../ir/expression';
import { callOf } from '../../ir/operations/call';
import { DATE, DATETIME, isTime, STRING, TIME, TIMESTAMP, type Type } from '../../ir/types';
import { formatCodes, parseTimeFormat, type FormatElement, type FormatUse } from '../../time/time-format';
import {
  argument,
  argumentName,
  callValue,
  checkCount,
  constantArgument,
  nullValue,
  typedArgument,
  argumentsAt,
} from '../arguments';
import type { CallContext, FunctionSpec, Value } from '../function';
import { retype } from './arguments/time-argument';
import { atTime } from './time-of-day';
import { zoneArgument } from './arguments/zone-argument';

const MAX_FORMAT_LENGTH = 500;

/** A code that no version of GoogleSQL has. */
const NO_CODE = /%[^A-Za-z0-9%*+]/;

export const formatFunctions: readonly FunctionSpec[] = [
  formatting('FORMAT_TIMESTAMP', TIMESTAMP),
  formatting('FORMAT_DATETIME', DATETIME),
  formatting('FORMAT_DATE', DATE),
  formatting('FORMAT_TIME', TIME),
];

export const parseFunctions: readonly FunctionSpec[] = [
  parsing(TIMESTAMP, 'The instant that a text tells in a format; an offset in the text wins over the time zone.'),
  parsing(DATETIME, 'The date and time that a text tells in a format.'),
  parsing(DATE, 'The date that a text tells in a format.'),
  parsing(TIME, 'The time of day that a text tells in a format.'),
];

function parsing(type: Type, summary: string): FunctionSpec {
  const use = `PARSE_${type.kind}` as Extract<FormatUse, `PARSE_${string}`>;
  const zoned = type.kind === 'TIMESTAMP';
  const usage = `${use}(format, text${zoned ? '[, time_zone]' : ''})`;
  return {
    names: [use],
    kind: 'scalar',
    safe: true,
    constants: argumentsAt(0, 2),
    usage,
    summary,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 2, zoned ? 3 : 2);
      refuseTextBeforeFormat(call, ctx, usage);
      const { constant: format } = constantArgument(call, ctx, 0, STRING);
      const text = typedArgument(call, ctx, 1, STRING);
      const zone = zoneArgument(call.args[2], ctx, call.safe);
      if (format === null || zone === null) return nullValue(call, type);
      if (call.safe && NO_CODE.test(String(format))) return nullValue(call, type);
      const elements = checkFormat(call, ctx, String(format), use);
      if (hasDateAfterDayOfYear(elements)) {
        ctx.fail(
          'bad_format',
          `${use} reads %j only behind other elements of the date`,
          call.args[0]?.position ?? call.position
        );
      }
      const read = withSomeText(elements, text);
      const options = { elements: read.elements, zone, safe: call.safe };
      const parsed = callValue(call, 'parse_timestamp', [read.text], TIMESTAMP, options);
      return type.kind === 'TIME' ? callValue(call, 'time_of_day', [parsed], TIME) : retype(parsed, type, ctx);
    },
  };
}

/** Adds a point to a format of blanks and to its text: stores cannot tell that the empty text has matched. */
function withSomeText(
  elements: readonly FormatElement[],
  text: Value
): { readonly elements: readonly FormatElement[]; readonly text: Value } {
  if (elements.some((element) => element.kind === 'code' || /\S/u.test(element.text))) return { elements, text };
  const point: Expr = { kind: 'literal', type: STRING, value: '.' };
  const expr = callOf('concat', [text.expr, point], STRING);
  return { elements: [...elements, { kind: 'text', text: '.' }], text: { ...text, expr } };
}

function hasDateAfterDayOfYear(elements: readonly FormatElement[]): boolean {
  const codes = elements.flatMap((element) => (element.kind === 'code' ? [element.code] : []));
  return codes.includes('j') && codes.slice(codes.lastIndexOf('j')).some((code) => /^[BbdemQ]$/.test(code));
}

/** Other dialects have the text first. */
function refuseTextBeforeFormat(call: CallExpression, ctx: CallContext, usage: string): void {
  const [first, second] = call.args;
  if (hasCode(second) && !(first?.kind === 'parameter' || hasCode(first))) {
    ctx.fail(
      'type_mismatch',
      `${argumentName(call, 0)} is the format`,
      first?.position ?? call.position,
      `write ${usage}`
    );
  }
}

function hasCode(argument: Expression | undefined): boolean {
  return argument?.kind === 'literal' && argument.literal.type === 'string' && argument.literal.value.includes('%');
}

/** Other dialects have the time first. */
function refuseTimeBeforeFormat(call: CallExpression, ctx: CallContext, usage: string): void {
  const { type, position } = argument(call, ctx, 0);
  if (!isTime(type) && type.kind !== 'TIME') return;
  ctx.fail('type_mismatch', `${argumentName(call, 0)} is the format`, position, `write ${usage}`);
}

function formatting(use: Extract<FormatUse, `FORMAT_${string}`>, natural: Type): FunctionSpec {
  const usage = `${use}(format, value${use === 'FORMAT_TIMESTAMP' ? '[, time_zone]' : ''})`;
  const shown = (call: CallExpression, ctx: CallContext): Value => {
    const given = argument(call, ctx, 1);
    const time = isTime(given.type) ? given : ctx.coerce(given, natural, argumentName(call, 1));
    // A DATE has no time of day; other values are read as the type in the function's name.
    if (time.type.kind === 'DATE' && use === 'FORMAT_TIMESTAMP') ctx.coerce(time, TIMESTAMP, argumentName(call, 1));
    return retype(time, natural, ctx);
  };
  return {
    names: [use],
    kind: 'scalar',
    safe: 'never fails',
    constants: argumentsAt(0, 2),
    usage,
    summary: `A ${natural.kind} as text, by a format such as '%F %H:%M'.`,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 2, use === 'FORMAT_TIMESTAMP' ? 3 : 2);
      refuseTimeBeforeFormat(call, ctx, usage);
      const { constant: format } = constantArgument(call, ctx, 0, STRING);
      const value = natural.kind === 'TIME' ? onFirstDay(typedArgument(call, ctx, 1, TIME)) : shown(call, ctx);
      const zone = zoneArgument(call.args[2], ctx, call.safe);
      if (format === null || zone === null) return nullValue(call, STRING);
      const elements = checkFormat(call, ctx, String(format), use);
      return callValue(call, 'format_time', [value], STRING, { elements, zone });
    },
  };
}

/** A time of day on 1970-01-01. */
function onFirstDay(time: Value): Value {
  const expr = atTime({ kind: 'literal', type: DATETIME, value: 0n }, time.expr, false);
  return { ...time, expr, type: DATETIME, text: null };
}

/** Codes of other dialects with what they show. */
const OTHER_CODES: ReadonlyMap<string, string> = new Map([
  ['%i', '%M'],
  ['%f', '%E6S with the seconds, in the place of %S.%f'],
  ['%N', '%E6S with the seconds, in the place of %S.%N'],
  ['%L', '%E3S with the seconds, in the place of %S.%L'],
]);

function codeHint(unknown: string, use: FormatUse): string {
  const code = OTHER_CODES.get(unknown);
  const known = formatCodes(use);
  const isKnown = code !== undefined && known.some((each) => code === each || code.startsWith(`${each} `));
  return isKnown ? `write ${code}` : `codes are ${known.join(' ')}`;
}

function checkFormat(call: CallExpression, ctx: CallContext, format: string, use: FormatUse): readonly FormatElement[] {
  const position = call.args[0]?.position ?? call.position;
  if (format.length > MAX_FORMAT_LENGTH) {
    ctx.fail('too_complex', `the format of ${use} is longer than ${MAX_FORMAT_LENGTH} characters`, position);
  }
  const parsed = parseTimeFormat(format, use);
  if ('elements' in parsed) return parsed.elements;
  return ctx.fail('bad_format', `${use} does not know "${parsed.unknown}"`, position, codeHint(parsed.unknown, use));
}
