/** Array paths in FROM: `t.records.field` is the field of all records, an array of arrays opened to one list. */
import type { Identifier } from '../../../ast';
import type { Value } from '../../../functions/function';
import { callOf } from '../../../ir/call';
import type { ElementExpr, LambdaExpr } from '../../../ir/expression';
import { arrayOf, BOOL, type Type } from '../../../ir/types';
import { failure } from '../../failure';
import { fieldOf, resolvePath, type FieldStep } from '../../names/resolve-path';
import type { Scope } from '../../names/scope';
import { settle } from '../../relations/demand';
import type { Resolution } from '../../resolution';

/** Maximum number of arrays in a path, each of which is one loop around the next. */
const MAX_ARRAYS = 4;

export interface ArrayPath {
  readonly value: Value;
  /** The last record that the path opens, if the value is a field of it. */
  readonly record: Value | null;
}

/**
 * Resolves the array that a path of FROM names.
 * @throws unknown_column, ambiguous_column, type_mismatch, too_complex
 */
export function resolveArrayPath(parts: readonly Identifier[], scope: Scope, resolution: Resolution): ArrayPath {
  let arrays = 0;
  let record: Value | null = null;
  const step: FieldStep = (value, field, owner) => {
    const { type } = value;
    if (type.kind === 'SINGLE') {
      record = value;
      return fieldOf(asRecord(value), field, owner);
    }
    if (type.kind !== 'ARRAY' || !/^(?:RECORD|STRUCT)$/.test(type.element.kind)) return fieldOf(value, field, owner);
    arrays += 1;
    if (arrays > MAX_ARRAYS) {
      throw failure('too_complex', `a path opens more than ${MAX_ARRAYS} arrays`, field.position, {
        maximum: MAX_ARRAYS,
      });
    }
    return fieldOfEach(value, type.element, field, owner, resolution);
  };
  const value = settle(resolution, resolvePath(parts, scope, step));
  return { value, record };
}

function asRecord(value: Value): Value {
  const { shape } = value.type as Extract<Type, { kind: 'SINGLE' }>;
  const type: Type = { kind: 'RECORD', shape };
  return { ...value, expr: { ...value.expr, type }, type };
}

/** The field of each element as one list; arrays and records that are absent add nothing. */
function fieldOfEach(list: Value, element: Type, field: Identifier, owner: string, resolution: Resolution): Value {
  const item: ElementExpr = { kind: 'element', name: 'e1', of: 'element', type: element };
  const value: Value = { expr: item, type: element, text: null, position: list.position };
  const read = settle(resolution, fieldOf(value, field, owner));
  const isRecord = read.type.kind === 'SINGLE';
  const body = isRecord ? asRecord(read) : read;
  const lambda: LambdaExpr = {
    kind: 'lambda',
    parameters: [item],
    body: resolution.materialize(body),
    type: body.type,
  };
  const all = callOf('list_map', [resolution.materialize(list), lambda], arrayOf(body.type));
  if (body.type.kind === 'ARRAY') return valueOf(callOf('list_flatten', [all], body.type), field);
  return valueOf(isRecord ? present(all, body.type) : all, field);
}

/** Elements that are not NULL. */
function present(list: Value['expr'], element: Type): Value['expr'] {
  const item: ElementExpr = { kind: 'element', name: 'e1', of: 'element', type: element };
  const body = callOf('is_not_null', [item], BOOL);
  const lambda: LambdaExpr = { kind: 'lambda', parameters: [item], body, type: BOOL };
  return callOf('list_filter', [list, lambda], list.type);
}

function valueOf(expr: Value['expr'], { position }: Identifier): Value {
  return { expr, type: expr.type, text: null, position };
}
