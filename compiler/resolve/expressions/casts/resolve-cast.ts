/** CAST and SAFE_CAST. */
import type { CastExpression, SourcePosition } from '../../../ast';
import type { Value } from '../../../functions/function';
import { constantOf } from '../../../ir/constant';
import { callOf } from '../../../ir/operations/call';
import type { Expr } from '../../../ir/expression';
import { constantInterval } from '../../../functions/time/interval-values';
import { readInterval } from '../../../time/interval-text';
import { arrayOf, BOOL, isNested, isTime, shortTypeName, typeName, type Type } from '../../../ir/types';
import { castHint, castType, isCastable } from '../../types/cast-types';
import { isRecordLike, parseConstant } from '../../types/coerce';
import { convertNested, elementAt, fieldAt } from '../../types/convert-nested';
import { failure } from '../../failure';
import { overChoices, present } from '../calls/constant-choices';
import { nullOf } from '../fold-conditions';
import { constantLike } from '../resolve-constant';
import { resolveCastFormat } from './resolve-cast-format';
import type { ExpressionContext } from '../expression-context';
import { valueOf } from '../values/value-of';

export function resolveCast(r: ExpressionContext, expression: CastExpression): Value {
  const type = castType(expression.type);
  const value = r.resolve(expression.operand);
  if (value.type.kind === 'NULL') {
    return { ...r.coerce(value, type, 'CAST'), text: null, position: expression.position };
  }
  if (expression.format !== null) {
    const constants = [expression.format.pattern, ...present(expression.format.timeZone)];
    return overChoices(r, constants, [], () => resolveCastFormat(r, expression, value, type));
  }
  if (isNested(value.type) && isNested(type)) return castNested(r, value, type, expression);
  if (isRecordLike(value.type) || isNested(type)) {
    throw failure(
      'type_mismatch',
      `cannot cast ${shortTypeName(value.type)} to ${shortTypeName(type)}`,
      expression.position,
      {
        hint: 'use TO_JSON_STRING, or open the array with CROSS JOIN UNNEST(...) AS x and cast its fields',
      }
    );
  }
  if (value.type.kind === type.kind) return { ...value, position: expression.position, text: null };
  if (!isCastable(value.type, type)) {
    throw failure(
      'type_mismatch',
      `cannot cast ${shortTypeName(value.type)} to ${shortTypeName(type)}`,
      expression.position,
      castHint(value.type, type)
    );
  }
  if (type.kind === 'INTERVAL') return valueOf(textAsInterval(value, expression), type, expression.position);
  const folded = castConstant(value, type);
  if (folded !== undefined) return valueOf(folded, type, expression.position);
  return valueOf(r.guarded(castOf(value.expr, type, expression.safe)), type, expression.position);
}

/** @throws not_supported for a text of rows, type_mismatch */
function textAsInterval(value: Value, { safe, position }: CastExpression): Expr {
  const known = constantOf(value.expr);
  if (known === undefined) {
    throw failure('not_supported', 'a cast of texts of rows to INTERVAL is not supported', position, {
      hint: 'read numbers from the text: INTERVAL CAST(x AS INT64) SECOND',
    });
  }
  const read = known.value === null ? null : readInterval(String(known.value));
  if (read !== undefined || safe) return constantInterval(read ?? null);
  throw failure('type_mismatch', `"${String(known.value).slice(0, 60)}" is not an interval`, value.position, {
    hint: "write it as '1-2 3 4:5:6' (year-month day hour:minute:second) or as 'P1Y2M3DT4H5M6S'",
  });
}

function castOf(operand: Expr, type: Type, safe: boolean): Expr {
  if (type.kind === 'TIME' && isTime(operand.type)) return callOf('time_of_day', [operand], type);
  return { kind: 'cast', operand, type, safe };
}

/** Casts each element and each field. @throws type_mismatch for another structure, or a part that has no such cast */
function castNested(r: ExpressionContext, value: Value, type: Type, { safe, position }: CastExpression): Value {
  const convert = (part: Expr, to: Type): Expr => {
    if (part.type.kind === 'NULL') return nullOf(to);
    if (to.kind === 'INTERVAL' && part.type.kind !== 'INTERVAL') throw notCastable(value.type, type, position);
    if (!isCastable(part.type, to)) throw notCastable(value.type, type, position);
    const folded = castConstant(valueOf(part, part.type, position), to);
    return folded ?? r.guarded(castOf(part, to, safe));
  };
  if (!hasSameStructure(value.type, type)) throw notCastable(value.type, type, position);
  const cast = convertNested(r.materialize(value), type, convert);
  return valueOf(safe ? wholeOrNull(r.materialize(value), cast) : cast, type, position);
}

/** SAFE_CAST is NULL if it fails for an element or for a field; a struct that is written out keeps the other fields. */
function wholeOrNull(list: Expr, cast: Expr): Expr {
  const { type } = cast;
  if (type.kind === 'STRUCT' && list.kind !== 'struct') return wholeStruct(list, cast, type.fields.length);
  if (list.type.kind !== 'ARRAY' || type.kind !== 'ARRAY' || isNested(type.element)) return cast;
  const elements: Type = {
    kind: 'STRUCT',
    fields: [
      { name: 'a', type: list.type.element },
      { name: 'b', type: type.element },
    ],
  };
  const element = elementAt(0, elements);
  const [before, after] = [fieldAt(element, 0), fieldAt(element, 1)];
  const body = callOf('and', [callOf('is_not_null', [before], BOOL), callOf('is_null', [after], BOOL)], BOOL);
  const pairs = callOf('list_zip', [list, cast], arrayOf(elements), { mode: 'PAD' });
  const when = callOf('list_any', [pairs, { kind: 'lambda', parameters: [element], body, type: BOOL }], BOOL);
  return { kind: 'case', branches: [{ when, then: nullOf(type) }], otherwise: cast, type };
}

function wholeStruct(base: Expr, cast: Expr, fields: number): Expr {
  const { type } = cast;
  if (cast.kind !== 'case') return cast;
  const [converted] = cast.branches;
  if (converted === undefined) return cast;
  const failures = Array.from({ length: fields }, (_, index) => {
    const [before, after] = [fieldAt(base, index), fieldAt(converted.then, index)];
    return callOf('and', [callOf('is_not_null', [before], BOOL), callOf('is_null', [after], BOOL)], BOOL);
  });
  const [first, ...others] = failures;
  if (first === undefined) return cast;
  const when = others.length === 0 ? first : callOf('or', [first, ...others], BOOL);
  return { ...cast, branches: [{ when, then: nullOf(type) }, ...cast.branches] };
}

function hasSameStructure(from: Type, to: Type): boolean {
  if (from.kind === 'ARRAY') return to.kind === 'ARRAY' && hasSameStructure(from.element, to.element);
  if (from.kind !== 'STRUCT') return from.kind === 'NULL' || !isNested(to);
  if (to.kind !== 'STRUCT' || to.fields.length !== from.fields.length) return false;
  return from.fields.every((field, index) => hasSameStructure(field.type, to.fields[index]?.type ?? field.type));
}

function notCastable(from: Type, to: Type, position: SourcePosition): Error {
  return failure('type_mismatch', `cannot cast ${typeName(from)} to ${typeName(to)}`, position);
}

/** Converts valid text constants immediately, so that bounds and guards can be folded. */
function castConstant(value: Value, type: Type): Expr | undefined {
  const constant = constantOf(value.expr);
  if (constant === undefined || value.type.kind !== 'STRING' || type.kind === 'STRING') return undefined;
  if (constant.value === null) return nullOf(type);
  const text = String(constant.value);
  // Unlike numbers, true and false may have no space around them.
  const conversion = value.text === 'parameter' ? 'parameter' : 'cast';
  const parsed = type.kind === 'BOOL' && text.trim() !== text ? undefined : parseConstant(text, type, conversion);
  if (parsed === undefined) return undefined;
  return constantLike(value.expr, parsed, type);
}
