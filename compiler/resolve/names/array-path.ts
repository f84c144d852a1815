/** Paths that open arrays: `t.records.field` is the field of all records, an array of arrays opened to one list. */
import type { Expression, Identifier } from '../../ast';
import type { Value } from '../../functions/function';
import { callOf, isCall } from '../../ir/operations/call';
import type { ElementExpr, Expr, LambdaExpr } from '../../ir/expression';
import { arrayOf, BOOL, type Type, elementOf, shapeOf } from '../../ir/types';
import type { ExpressionContext } from '../expressions/expression-context';
import { failure } from '../failure';
import { settle } from '../relations/demand';
import { fieldOf, UNNAMED, type FieldStep } from './resolve-path';

/** Maximum number of arrays in a path, each of which is one loop around the next. */
const MAX_ARRAYS = 4;

export interface ArrayPath {
  readonly value: Value;
  /** The last record that the path opens, if the value is a field of it. */
  readonly record: Value | null;
}

/** Whether an expression is a path, of which arrays can be opened. */
export function isPath(expression: Expression): boolean {
  return expression.kind === 'path' ? expression.parts.length > 1 : expression.kind === 'field';
}

/**
 * Resolves a path and opens its arrays; any other expression is resolved as it is.
 * @throws unknown_column, ambiguous_column, type_mismatch, too_complex
 */
export function resolveArrayPath(expression: Expression, r: ExpressionContext): ArrayPath {
  const opened = new OpenedArrays(r);
  const read = (part: Expression): Value => {
    const known = r.known.get(part);
    if (known !== undefined) return known;
    if (part.kind === 'path') return r.path(part, opened.step);
    if (part.kind !== 'field') return r.resolve(part);
    const owner = part.base.kind === 'path' ? (part.base.parts.at(-1)?.name ?? 'value') : UNNAMED;
    return guarded(settle(r.resolution, opened.step(read(part.base), part.field, owner, [])), r);
  };
  const value = settle(r.resolution, read(expression));
  return { value, record: opened.record };
}

/** The array that a path names: a field of records that may be absent is a list of at most one value. */
export function listOfPath({ value, record }: ArrayPath, r: ExpressionContext): Value {
  const { type } = value;
  if (record === null || type.kind === 'SINGLE') return value;
  const isList = type.kind === 'ARRAY';
  const list = isList ? type : arrayOf(type);
  const own = r.materialize(value);
  const there = isList ? callOf('is_not_null', [own], BOOL) : r.isPresent(record);
  const then: Expr = isList ? own : { kind: 'array', items: [own], type: list };
  const otherwise: Expr = { kind: 'array', items: [], type: list };
  const expr: Expr = { kind: 'case', branches: [{ when: there, then }], otherwise, type: list };
  return { expr, type: list, text: null, position: value.position };
}

class OpenedArrays {
  record: Value | null = null;
  private arrays = 0;

  constructor(private readonly r: ExpressionContext) {}

  readonly step: FieldStep = (value, field, owner, path) => {
    const { type } = value;
    if (type.kind === 'SINGLE') {
      this.record = value;
      return fieldOf(asRecord(value), field, owner, path);
    }
    if (type.kind !== 'ARRAY' || !/^(?:RECORD|STRUCT|JSON)$/.test(type.element.kind)) {
      return fieldOf(value, field, owner, path);
    }
    this.arrays += 1;
    if (this.arrays > MAX_ARRAYS) {
      throw failure('too_complex', `a path opens more than ${MAX_ARRAYS} arrays`, field.position, {
        maximum: MAX_ARRAYS,
      });
    }
    return fieldOfEach(value, type.element, field, owner, this.r);
  };
}

function asRecord(value: Value): Value {
  const type: Type = { kind: 'RECORD', shape: shapeOf(value.type) };
  return { ...value, expr: { ...value.expr, type }, type };
}

function guarded(value: Value, r: ExpressionContext): Value {
  return isCall(value.expr, 'json_query') ? { ...value, expr: r.guarded(value.expr) } : value;
}

/** The field of each element as one list; arrays and records that are absent add nothing. */
function fieldOfEach(list: Value, element: Type, field: Identifier, owner: string, r: ExpressionContext): Value {
  const whole = r.materialize(list);
  r.ensureListWork([whole], field.position);
  const item: ElementExpr = { kind: 'element', name: `e${r.lambdaLevel + 1}`, of: 'element', type: element };
  const value: Value = { expr: item, type: element, text: null, position: list.position };
  const read = guarded(settle(r.resolution, fieldOf(value, field, owner)), r);
  const isRecord = read.type.kind === 'SINGLE';
  const body = isRecord ? asRecord(read) : read;
  const lambda: LambdaExpr = { kind: 'lambda', parameters: [item], body: r.materialize(body), type: body.type };
  const all = callOf('list_map', [whole, lambda], arrayOf(body.type));
  if (body.type.kind === 'ARRAY') return valueOf(callOf('list_flatten', [all], body.type), field);
  return valueOf(isRecord ? present(all, item) : all, field);
}

/** Elements that are not NULL. */
function present(list: Expr, { name }: ElementExpr): Expr {
  const element = elementOf(list.type);
  const item: ElementExpr = { kind: 'element', name, of: 'element', type: element };
  const body = callOf('is_not_null', [item], BOOL);
  const lambda: LambdaExpr = { kind: 'lambda', parameters: [item], body, type: BOOL };
  return callOf('list_filter', [list, lambda], list.type);
}

function valueOf(expr: Expr, { position }: Identifier): Value {
  return { expr, type: expr.type, text: null, position };
}
