/** A member or an element of a JSON value: `j.a`, `j['a']`, `j[0]`. */
import type { SourcePosition } from '../../../ast';
import type { Value } from '../../../functions/function';
import { isJsonKey, type JsonPathStep } from '../../../functions/json/json-path';
import { callOf, isCall } from '../../../ir/operations/call';
import { JSON_TYPE } from '../../../ir/types';
import { failure } from '../../failure';

const MAX_STEPS = 32;

/** Steps after each other become one path. @throws bad_json_path */
export function jsonStep(value: Value, step: JsonPathStep, position: SourcePosition): Value {
  if (typeof step === 'string' && !isJsonKey(step)) {
    throw failure('bad_json_path', 'a key of JSON must not hold quotes, backslashes or asterisks', position);
  }
  const inner = isCall(value.expr, 'json_query') ? value.expr : undefined;
  const merges = inner !== undefined && inner.args[0]?.type.kind === 'JSON' && inner.options.path.length < MAX_STEPS;
  const path = merges ? [...inner.options.path, step] : [step];
  const base = merges ? inner.args[0] : value.expr;
  if (base === undefined) throw new Error('A JSON path has no base.');
  return { expr: callOf('json_query', [base], JSON_TYPE, { path }), type: JSON_TYPE, text: null, position };
}
