/** Directives of FORMAT that write whole values: texts, any value (`%t`), a value as a literal (`%T`), JSON. */
import { callOf } from '../../../ir/operations/call';
import { overElements } from '../../../ir/operations/lambda';
import type { Expr } from '../../../ir/expression';
import { arrayOf, BOOL, FLOAT64, isOrdered, shortTypeName, STRING } from '../../../ir/types';
import type { CallContext, Value } from '../../function';
import { bytesLiteral, bytesText } from './bytes-text';
import type { WholeCode } from './format-directives';

export function wholeText(value: Value, code: WholeCode, what: string, ctx: CallContext): Expr {
  switch (code) {
    case 's':
      return ctx.coerce(value, STRING, what).expr;
    case 'T':
      return literalOf(value, what, ctx);
    case 'p':
    case 'P':
      if (value.type.kind === 'JSON') return jsonText(value, code);
      return ctx.fail('type_mismatch', `${what} must be JSON for %${code}`, value.position, 'use TO_JSON(...)');
    case 't':
      return anyText(value, what, ctx);
  }
}

function anyText(value: Value, what: string, ctx: CallContext): Expr {
  const { type, expr } = value;
  if (type.kind === 'ARRAY') return listText(value, 't', what, ctx);
  if (type.kind === 'STRUCT') return structText(value, 't', what, ctx);
  if (type.kind === 'JSON') return orNull(jsonText(value, 'p'));
  if (type.kind === 'BYTES') return orNull(bytesText(expr));
  if (!isOrdered(type)) return refuseRecord(value, 't', what, ctx);
  const written =
    type.kind === 'STRING' || type.kind === 'NULL'
      ? ctx.coerce(value, STRING, what).expr
      : type.kind === 'FLOAT64'
        ? withFraction(expr)
        : asText(expr);
  return orNull(written);
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
  return orNull(joinedTexts(text('['), joined, text(']')));
}

/** `(1, x)`; a literal of one field is `STRUCT(1)`. */
function structText(value: Value, code: 't' | 'T', what: string, ctx: CallContext): Expr {
  const fields = ctx.fieldsOf(value).map((field) => wholeText(field, code, `a field of ${what}`, ctx));
  const first = code === 'T' && fields.length === 1 ? 'STRUCT(' : '(';
  const parts = fields.flatMap((field, index) => (index === 0 ? [field] : [text(', '), field]));
  const written = joinedTexts(text(first), ...parts, text(')'));
  if (value.expr.kind === 'struct') return written;
  const when = callOf('is_null', [value.expr], BOOL);
  return { kind: 'case', branches: [{ when, then: text('NULL') }], otherwise: written, type: STRING };
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

function literalOf(value: Value, what: string, ctx: CallContext): Expr {
  const { type, expr } = value;
  if (type.kind === 'NULL') return text('NULL');
  if (type.kind === 'ARRAY') return listText(value, 'T', what, ctx);
  if (type.kind === 'STRUCT') return structText(value, 'T', what, ctx);
  if (type.kind === 'STRING') return orNull(quoted(ctx.coerce(value, STRING, what).expr));
  if (type.kind === 'BYTES') return orNull(bytesLiteral(expr));
  if (type.kind === 'JSON') return orNull(joinedTexts(text('JSON '), quoted(jsonText(value, 'p'))));
  if (type.kind === 'FLOAT64') {
    const written = asText(expr);
    const special: Expr = callOf('regexp_contains', [written, text('^-?[a-z]+$')], BOOL);
    const then = joinedTexts(text('CAST("'), written, text('" AS FLOAT64)'));
    const number: Expr = {
      kind: 'case',
      branches: [{ when: special, then }],
      otherwise: withFraction(expr),
      type: STRING,
    };
    return orNull(number);
  }
  const around = LITERALS[type.kind];
  if (around === undefined) return refuseRecord(value, 'T', what, ctx);
  const [before, after] = around;
  return orNull(joinedTexts(text(before), asText(expr), text(after)));
}

/**
 * A record of an event has more fields with each new one that is sent, and `%t` writes values without names: its text
 * would change from day to day.
 * @throws not_supported
 */
function refuseRecord({ type, position }: Value, code: 't' | 'T', what: string, ctx: CallContext): never {
  return ctx.fail(
    'not_supported',
    `%${code} of ${what}, the ${shortTypeName(type)} of an event, is not supported`,
    position,
    'choose its fields, as in STRUCT(r.method, r.path), or use TO_JSON_STRING(...) for all of them'
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

export function asText(operand: Expr): Expr {
  return { kind: 'cast', operand, type: STRING, safe: false };
}

export function text(value: string): Expr {
  return { kind: 'literal', type: STRING, value };
}

function quoted(value: Expr): Expr {
  return callOf('text_literal', [value], STRING);
}

/** The text of a value; `NULL` for NULL. */
function orNull(written: Expr): Expr {
  return callOf('coalesce', [written, text('NULL')], STRING);
}

function joinedTexts(first: Expr, ...others: readonly Expr[]): Expr {
  return callOf('concat', [first, ...others], STRING);
}
