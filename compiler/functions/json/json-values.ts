/** Functions on values of type JSON. */
import type { CallExpression } from '../../ast';
import type { Expr } from '../../ir/expression';
import { atSiteOf } from '../../ir/sites';
import {
  arrayOf,
  BOOL,
  FLOAT64,
  INT64,
  JSON_TYPE,
  shortTypeName,
  STRING,
  type StructField,
  type Type,
  unnamedField,
} from '../../ir/types';
import {
  argument,
  argumentName,
  callValue,
  checkCount,
  constantArgument,
  nullValue,
  typedArgument,
  valueOf,
} from '../arguments';
import type { CallContext, FunctionSpec, Value } from '../function';

export const parseJson: FunctionSpec = {
  names: ['PARSE_JSON'],
  kind: 'scalar',
  safe: true,
  usage: 'PARSE_JSON(text)',
  summary: 'A text as JSON, whose members can be read as `j.a.b` and `j[0]`. A text that is not JSON fails.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, parseJson.usage, 1);
    return callValue(call, 'parse_json', [typedArgument(call, ctx, 0, STRING)], JSON_TYPE, { safe: call.safe });
  },
};

export const toJson: FunctionSpec = {
  names: ['TO_JSON'],
  kind: 'scalar',
  safe: 'never fails',
  usage: 'TO_JSON(value)',
  summary: 'Any value as JSON; NULL is the JSON null.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, toJson.usage, 1);
    return jsonOf(call, ctx, argument(call, ctx, 0));
  },
};

function jsonOf(call: CallExpression, ctx: CallContext, value: Value): Value {
  if (value.type.kind === 'NULL') return constantJson(call, 'null');
  refuseInterval(call, ctx, value);
  return callValue(call, 'to_json', [writtenValue(ctx, value)], JSON_TYPE, { as: value.type.kind });
}

/** A value to be written as JSON. */
export function writtenValue(ctx: CallContext, value: Value): Value {
  const stored = ctx.materialize(value);
  // An opened record and its array share one column; the type and the option distinguish them.
  return { ...value, expr: atSiteOf(stored, { ...stored, type: value.type }) };
}

/**
 * Refuses intervals, which GoogleSQL writes in a form of their own, also inside of other values.
 *
 * @throws not_supported
 */
export function refuseInterval(call: CallExpression, ctx: CallContext, value: Value): void {
  if (!hasInterval(value.type)) return;
  ctx.fail('not_supported', `${call.name} does not take INTERVAL`, value.position, 'write CAST(x AS STRING)');
}

function hasInterval(type: Type): boolean {
  if (type.kind === 'ARRAY') return hasInterval(type.element);
  return type.kind === 'STRUCT' ? type.fields.some((field) => hasInterval(field.type)) : type.kind === 'INTERVAL';
}

function constantJson(call: CallExpression, json: string): Value {
  return valueOf(call, { kind: 'literal', type: JSON_TYPE, value: json });
}

export const jsonObject: FunctionSpec = {
  names: ['JSON_OBJECT'],
  kind: 'scalar',
  safe: 'never fails',
  constants: ({ args }) => args.filter((_, index) => index % 2 === 0),
  usage: 'JSON_OBJECT(key, value, ...)',
  summary: 'A JSON object of constant keys and their values.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, jsonObject.usage, 0, Infinity);
    if (call.args.length % 2 === 1) {
      ctx.fail(
        'wrong_arguments',
        'JSON_OBJECT expects a value for each key',
        call.namePosition,
        `write ${jsonObject.usage}`
      );
    }
    if (call.args.length === 0) return constantJson(call, '{}');
    const members = new Map<string, Value>();
    for (let index = 0; index < call.args.length; index += 2) {
      const { constant } = constantArgument(call, ctx, index, STRING);
      const value = argument(call, ctx, index + 1);
      if (constant === null) ctx.fail('type_mismatch', 'a key of JSON_OBJECT must not be NULL', call.position);
      if (!members.has(String(constant))) members.set(String(constant), member(call, ctx, value));
    }
    return jsonOf(call, ctx, valueOf(call, structOf([...members])));
  },
};

export const jsonArray: FunctionSpec = {
  names: ['JSON_ARRAY'],
  kind: 'scalar',
  safe: 'never fails',
  usage: 'JSON_ARRAY(value, ...)',
  summary: 'A JSON array of values of any types.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, jsonArray.usage, 0, Infinity);
    if (call.args.length === 0) return constantJson(call, '[]');
    const items = call.args.map((_, index) => member(call, ctx, argument(call, ctx, index)));
    const packed = structOf(items.map((item, index) => [unnamedField(index), item] as const));
    return callValue(call, 'json_array', [valueOf(call, packed)], JSON_TYPE);
  },
};

function member(call: CallExpression, ctx: CallContext, value: Value): Value {
  if (value.type.kind === 'NULL') return constantJson(call, 'null');
  refuseInterval(call, ctx, value);
  return writtenValue(ctx, value);
}

/** Packs values that are converted together: conversions of one type need one place in a statement. */
function structOf(members: readonly (readonly [name: string, value: Value])[]): Expr {
  const fields: StructField[] = members.map(([name, { type }]) => ({ name, type }));
  return {
    kind: 'struct',
    fields: members.map(([name, value]) => ({ name, expr: value.expr })),
    type: { kind: 'STRUCT', fields },
  };
}

export const jsonType: FunctionSpec = {
  names: ['JSON_TYPE'],
  kind: 'scalar',
  safe: 'never fails',
  usage: 'JSON_TYPE(json)',
  summary: 'The kind of a JSON value: object, array, string, number, boolean or null.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, jsonType.usage, 1);
    return callValue(call, 'json_type', [typedArgument(call, ctx, 0, JSON_TYPE)], STRING);
  },
};

/** Levels of JSON_KEYS: stores search each with a part of the query. */
const MAX_LEVELS = 5;

export const jsonKeys: FunctionSpec = {
  names: ['JSON_KEYS'],
  kind: 'scalar',
  safe: 'never fails',
  usage: 'JSON_KEYS(json, levels)',
  summary: `The sorted keys of a JSON object, and of the objects in it to a number of levels (1 to ${MAX_LEVELS}), as paths; empty for other values.`,
  resolve: (call, ctx) => {
    checkCount(call, ctx, jsonKeys.usage, 1, 2);
    const depth = call.args.length === 2 ? constantArgument(call, ctx, 1, INT64).constant : null;
    if (depth !== null && (depth as bigint) < 1n) {
      if (call.safe) return nullValue(call, arrayOf(STRING));
      ctx.fail('wrong_arguments', `${argumentName(call, 1)} must be a whole number from 1`, call.position);
    }
    const levels = depth === null ? Infinity : Number(depth);
    if (levels > MAX_LEVELS) {
      const message = `JSON_KEYS lists the keys of 1 to ${MAX_LEVELS} levels`;
      ctx.fail('not_supported', message, call.position, `write JSON_KEYS(json, ${MAX_LEVELS})`);
    }
    return callValue(call, 'json_keys', [typedArgument(call, ctx, 0, JSON_TYPE)], arrayOf(STRING), { levels });
  },
};

/** A JSON value as a type; a value of another kind fails. */
export function jsonTo(call: CallExpression, json: Value, type: Type, lax = false): Value {
  return callValue(call, 'json_to', [json], type, { safe: call.safe || lax, lax, as: type.kind });
}

const conversion = (name: string, type: Type, lax: boolean, summary: string): FunctionSpec => {
  const usage = `${name}(json)`;
  return {
    names: [name],
    kind: 'scalar',
    safe: lax ? 'never fails' : true,
    usage,
    summary,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 1);
      const value = argument(call, ctx, 0);
      if (value.type.kind === 'STRING') {
        const message = `${argumentName(call, 0)} expects JSON, found STRING`;
        const cast = `SAFE_CAST(... AS ${shortTypeName(type)})`;
        ctx.fail('type_mismatch', message, value.position, `use ${cast} for a text, PARSE_JSON for the text of JSON`);
      }
      return jsonTo(call, ctx.coerce(value, JSON_TYPE, argumentName(call, 0)), type, lax);
    },
  };
};

const strict = 'other JSON values fail.';
const laxly = 'NULL for what does not convert.';

/** STRING(json) is an overload of STRING(timestamp). */
export const jsonConversions: readonly FunctionSpec[] = [
  conversion('BOOL', BOOL, false, `A JSON boolean as BOOL; ${strict}`),
  conversion('INT64', INT64, false, `A whole JSON number as INT64; ${strict}`),
  conversion('FLOAT64', FLOAT64, false, `A JSON number as FLOAT64; ${strict}`),
  conversion('LAX_BOOL', BOOL, true, `A JSON boolean, number, or text of a boolean as BOOL; ${laxly}`),
  conversion('LAX_INT64', INT64, true, `A JSON number, boolean, or text of a number as INT64, rounded; ${laxly}`),
  conversion('LAX_FLOAT64', FLOAT64, true, `A JSON number, or text of a number, as FLOAT64; ${laxly}`),
  conversion('LAX_STRING', STRING, true, `A JSON text, number or boolean as STRING; ${laxly}`),
];
