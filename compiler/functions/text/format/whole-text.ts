/** Directives of FORMAT that write whole values: texts, any value (`%t`), a value as a literal (`%T`), JSON. */
import { callOf } from '../../../ir/operations/call';
import { computedOnce, itemOf, overElements } from '../../../ir/operations/lambda';
import type { Expr } from '../../../ir/expression';
import { byType, orderOf } from '../../../ir/by-type';
import { arrayOf, BOOL, FLOAT64, isOrdered, isScalar, shortTypeName, STRING } from '../../../ir/types';
import { itemAt } from '../../../items';
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
  const fields = ctx.fieldsOf(value);
  const first = code === 'T' && fields.length === 1 ? 'STRUCT(' : '(';
  const textOf = (field: Value): Expr => wholeText(field, code, `a field of ${what}`, ctx);
  const written = joinedTexts(text(first), ...fieldTexts(fields, textOf), text(')'));
  if (value.expr.kind === 'struct') return written;
  const when = callOf('is_null', [value.expr], BOOL);
  return { kind: 'case', branches: [{ when, then: text('NULL') }], otherwise: written, type: STRING };
}

/** Fields of one type from which on one lambda writes them all. */
const MANY_OF_A_TYPE = 32;

/** Texts of fields with commas between them. */
function fieldTexts(fields: readonly Value[], textOf: (field: Value) => Expr): readonly Expr[] {
  const grouped = byType(fields, ({ type }) => (type.kind !== 'NULL' && isScalar(type) ? type : null), MANY_OF_A_TYPE);
  if (grouped === null)
    return fields.flatMap((field, index) => (index === 0 ? [textOf(field)] : [text(', '), textOf(field)]));
  const { groups, others, places } = grouped;
  const lists: Expr[] = groups.map((same) => {
    const [{ type }] = same;
    const all: Expr = { kind: 'array', items: same.map(({ expr }) => expr), type: arrayOf(type) };
    const written = overElements('f1', type, (expr) => textOf({ ...same[0], expr, text: null }));
    return callOf('list_map', [all, written], arrayOf(STRING));
  });
  // Computed outside of lambdas: they may be subqueries.
  if (others.length > 0) lists.push({ kind: 'array', items: others.map(textOf), type: arrayOf(STRING) });
  const joined = (list: Expr): Expr => callOf('array_to_string', [list, text(', ')], STRING);
  const [only] = lists;
  if (only !== undefined && lists.length === 1) return [joined(only)];
  const sizes = [...groups, others].map(({ length }) => length);
  return [
    computedOnce(lists, new Set(), (...names) => {
      const texts = names.flatMap((list, index) =>
        Array.from({ length: itemAt(sizes, index) }, (_, offset) => itemOf(list, offset, STRING))
      );
      const ordered = places === null ? texts : orderOf(places).map((index) => itemAt(texts, index));
      return joined({ kind: 'array', items: ordered, type: arrayOf(STRING) });
    }),
  ];
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
