/** Values that are read as lists. */
import type { Value } from '../../../functions/function';
import type { BoundExpr } from '../../../ir/expression';
import { arrayOf, shortTypeName, STRING } from '../../../ir/types';
import { failure } from '../../failure';
import type { Resolution } from '../../resolution';
import { valueOf } from './value-of';

/** Most items of a list that a parameter holds. */
const MOST_ITEMS = 1000;

/** An array as it is; the text of a parameter, split at commas. @throws type_mismatch for any other value */
export function asList(value: Value, resolution: Resolution): Value {
  if (value.type.kind === 'ARRAY') return { ...value, expr: resolution.materialize(value) };
  if (value.text === 'parameter' && value.expr.kind === 'bound') {
    const { key, value: bound } = value.expr;
    const items = typeof bound.value === 'string' && bound.value !== '' ? bound.value.split(',') : [];
    if (items.length > MOST_ITEMS) {
      throw failure('too_complex', 'a list has more than 1,000 items', value.position, { limit: MOST_ITEMS });
    }
    const exprs = items.map((item, index): BoundExpr => ({
      kind: 'bound',
      key: `${key}:item${index}`,
      type: STRING,
      value: { type: 'STRING', value: item.trim() },
      failure: null,
    }));
    const type = arrayOf(STRING);
    return valueOf({ kind: 'array', items: exprs, type }, type, value.position);
  }
  throw failure('type_mismatch', `UNNEST expects an array, found ${shortTypeName(value.type)}`, value.position, {
    hint:
      value.type.kind === 'SINGLE'
        ? 'a record is opened in FROM: CROSS JOIN UNNEST(...) AS x'
        : 'use SPLIT to make an array of a text, JSON_QUERY_ARRAY for an array in JSON',
  });
}
