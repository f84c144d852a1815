/** Reads a column of a relation as a value: records stay lazy, other columns are requested immediately. */
import type { Value } from '../../functions/function';
import { secretField } from './redact-border';
import type { Mention } from './relation';
import type { Resolution } from '../resolution';
import type { Type } from '../../ir/types';

export function columnValue(
  resolution: Resolution,
  relation: number,
  column: number,
  type: Type,
  mention: Mention
): Value {
  if (type.kind === 'SINGLE' || type.kind === 'RECORD') {
    return {
      expr: { kind: 'lazy-record', relation, column, path: [], type, ...mention },
      type,
      text: null,
      position: mention.position,
    };
  }
  const expr = resolution.relation(relation).demand(column, [], 'value', mention);
  return { expr, type, text: null, position: mention.position };
}

/** Requests the column of a lazy value whose path ends at a leaf; records stay lazy. */
export function settle(resolution: Resolution, value: Value): Value {
  const { expr, type } = value;
  if (expr.kind === 'json-field') {
    return { ...value, expr: secretField(expr, expr.path, resolution.input.redaction) };
  }
  if (expr.kind !== 'lazy-record' || type.kind === 'SINGLE' || type.kind === 'RECORD') return value;
  const mention = { display: expr.display, position: expr.position };
  return { ...value, expr: resolution.relation(expr.relation).demand(expr.column, expr.path, 'value', mention) };
}
