/** JSON functions on text; invalid JSON reads as NULL. */
import type { CallExpression } from '../../ast';
import { callOf } from '../../ir/operations/call';
import type { OpName } from '../../ir/operations/ops';
import { arrayOf, BOOL, JSON_TYPE, shortTypeName, STRING, type Type } from '../../ir/types';
import {
  argument,
  argumentName,
  callValue,
  checkCount,
  constantArgument,
  nullValue,
  argumentsAt,
  typedArgument,
  valueOf,
} from '../arguments';
import type { CallContext, FunctionSpec, Value } from '../function';
import { JsonPathError, parseJsonPath } from './json-path';
import { refuseInterval, writtenValue } from './json-values';

export const jsonValue = reading(
  ['JSON_VALUE', 'JSON_EXTRACT_SCALAR'],
  'json_value',
  'A text, number or boolean inside JSON, as text; NULL for objects, arrays, nothing, and what is not JSON.'
);
export const jsonQuery = reading(
  ['JSON_QUERY', 'JSON_EXTRACT'],
  'json_query',
  'Any value inside JSON, as JSON text; NULL for nothing, null, and what is not JSON.'
);

export const jsonValueArray = reading(
  ['JSON_VALUE_ARRAY', 'JSON_EXTRACT_STRING_ARRAY'],
  'json_value_array',
  'The texts, numbers and booleans of an array inside JSON, as texts; NULL where it is no array or holds anything else.',
  arrayOf(STRING)
);
export const jsonQueryArray = reading(
  ['JSON_QUERY_ARRAY', 'JSON_EXTRACT_ARRAY'],
  'json_query_array',
  'The elements of an array inside JSON, each as JSON text; NULL where it is no array.',
  arrayOf(STRING)
);

export const toJsonString: FunctionSpec = {
  names: ['TO_JSON_STRING'],
  kind: 'scalar',
  safe: 'never fails',
  usage: 'TO_JSON_STRING(value[, pretty])',
  summary: 'Any value as JSON text, on several lines if pretty is TRUE; NULL is the text "null".',
  resolve: (call, ctx) => {
    checkCount(call, ctx, toJsonString.usage, 1, 2);
    const line = onOneLine(call, ctx);
    if (call.args.length === 1) return line;
    const pretty = typedArgument(call, ctx, 1, BOOL);
    const constant = ctx.constant(pretty)?.value;
    if (constant === false) return line;
    const lines = callOf('pretty_json', [line.expr], STRING);
    if (constant === true) return valueOf(call, lines);
    const branches = [
      { when: pretty.expr, then: lines },
      { when: callOf('not', [pretty.expr], BOOL), then: line.expr },
    ];
    return valueOf(call, { kind: 'case', branches, otherwise: null, type: STRING });
  },
};

function onOneLine(call: CallExpression, ctx: CallContext): Value {
  const value = argument(call, ctx, 0);
  refuseInterval(call, ctx, value);
  if (value.type.kind === 'NULL')
    return callValue(call, 'to_json_string', [ctx.coerce(value, STRING, 'TO_JSON_STRING')], STRING, { as: 'STRING' });
  return callValue(call, 'to_json_string', [writtenValue(ctx, value)], STRING, { as: value.type.kind });
}

type JsonReader = Extract<OpName, 'json_value' | 'json_query' | 'json_value_array' | 'json_query_array'>;

const RECORD_HINT = 'a record is no JSON; read its fields by name, as in metadata[0].request[0].path';

/** JSON_QUERY of JSON is JSON. */
function jsonResult(fn: JsonReader, type: Type): Type {
  if (fn === 'json_query') return JSON_TYPE;
  return fn === 'json_query_array' ? arrayOf(JSON_TYPE) : type;
}

function reading(names: readonly string[], fn: JsonReader, summary: string, textType: Type = STRING): FunctionSpec {
  const usage = `${names[0]}(json[, path])`;
  return {
    names,
    kind: 'scalar',
    safe: 'never fails',
    constants: argumentsAt(1),
    usage,
    summary,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 1, 2);
      const given = argument(call, ctx, 0);
      if (given.type.kind === 'SINGLE' || given.type.kind === 'RECORD') {
        const message = `${argumentName(call, 0)} expects STRING, found ${shortTypeName(given.type)}`;
        return ctx.fail('type_mismatch', message, given.position, RECORD_HINT);
      }
      const isJson = given.type.kind === 'JSON';
      const text = isJson ? given : ctx.coerce(given, STRING, argumentName(call, 0));
      const type = isJson ? jsonResult(fn, textType) : textType;
      const path = call.args.length === 2 ? constantArgument(call, ctx, 1, STRING).constant : '$';
      if (path === null) return nullValue(call, type);
      try {
        return callValue(call, fn, [text], type, { path: parseJsonPath(String(path)) });
      } catch (error) {
        if (!(error instanceof JsonPathError)) throw error;
        const position = call.args[1]?.position ?? call.position;
        const message = `invalid JSON path: ${error.message} at character ${error.character}`;
        return ctx.fail('bad_json_path', message, position, 'a path is made of $, .key, ["key"] and [0]');
      }
    },
  };
}
