/** Functions of arrays. */
import { arrayOf, BYTES, INT64, STRING, type Type } from '../../ir/types';
import { argument, argumentName, callValue, checkCount, nullValue, valueOf, wholeNumber } from '../arguments';
import type { FunctionSpec, Value } from '../function';
import { arrayValue } from './array-argument';
import { itemAt } from '../../items';

export const arrayLength: FunctionSpec = {
  names: ['ARRAY_LENGTH'],
  kind: 'scalar',
  safe: 'never fails',
  usage: 'ARRAY_LENGTH(array)',
  summary: 'The number of elements.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, arrayLength.usage, 1);
    const value = argument(call, ctx, 0);
    if (value.type.kind !== 'SINGLE') {
      const list = arrayValue(value, call, ctx, 0);
      return callValue(call, 'list_length', [list], INT64);
    }
    const branches = [{ when: ctx.isPresent(value), then: wholeNumber(1n) }];
    return valueOf(call, { kind: 'case', branches, otherwise: wholeNumber(0n), type: INT64 });
  },
};

export const flatten: FunctionSpec = {
  names: ['FLATTEN'],
  kind: 'scalar',
  safe: 'never fails',
  usage: 'FLATTEN(array.field)',
  summary: 'The field of all elements as one array; arrays along a path are opened.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, flatten.usage, 1);
    const value = ctx.flattened(itemAt(call.args, 0));
    return value.type.kind === 'SINGLE' ? value : arrayValue(value, call, ctx, 0);
  },
};

export const arrayConcat: FunctionSpec = {
  names: ['ARRAY_CONCAT'],
  kind: 'scalar',
  safe: 'never fails',
  usage: 'ARRAY_CONCAT(array, ...)',
  summary: 'Arrays one after the other; NULL when any is NULL.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, arrayConcat.usage, 1, Infinity);
    const lists = call.args.map((_, index) => {
      const value = argument(call, ctx, index);
      return value.type.kind === 'NULL' ? value : arrayValue(value, call, ctx, index);
    });
    const { type, values } = ctx.unify(lists, `the arguments of ${call.name}`);
    if (type.kind === 'NULL') return nullValue(call, arrayOf(STRING));
    return callValue(call, 'array_concat', values, type);
  },
};

export const arrayToString: FunctionSpec = {
  names: ['ARRAY_TO_STRING'],
  kind: 'scalar',
  safe: 'never fails',
  usage: 'ARRAY_TO_STRING(array, separator[, missing])',
  summary:
    'The texts, or bytes, of an array in one; elements that are NULL are left out unless a text for them is given.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, arrayToString.usage, 2, 3);
    const given = argument(call, ctx, 0);
    const list = given.type.kind === 'NULL' ? given : arrayValue(given, call, ctx, 0);
    const between = call.args.slice(1).map((_, index) => argument(call, ctx, index + 1));
    const isBytes = [elementOf(list), ...between.map(({ type }) => type)].some(({ kind }) => kind === 'BYTES');
    const type = isBytes ? BYTES : STRING;
    const values = [
      ctx.coerce(list, arrayOf(type), argumentName(call, 0)),
      ...between.map((value, index) => ctx.coerce(value, type, argumentName(call, index + 1))),
    ];
    if (values.some((value) => ctx.constant(value)?.value === null)) return nullValue(call, type);
    return callValue(call, isBytes ? 'bytes_join' : 'array_to_string', values, type);
  },
};

function elementOf({ type }: Value): Type {
  return type.kind === 'ARRAY' ? type.element : type;
}

export const arrayReverse: FunctionSpec = {
  names: ['ARRAY_REVERSE'],
  kind: 'scalar',
  safe: 'never fails',
  usage: 'ARRAY_REVERSE(array)',
  summary: 'The elements from last to first.',
  resolve: (call, ctx) => {
    checkCount(call, ctx, arrayReverse.usage, 1);
    const list = arrayValue(argument(call, ctx, 0), call, ctx, 0);
    return callValue(call, 'array_reverse', [list], list.type);
  },
};

export const arrayFirst = end('ARRAY_FIRST', 'first', false);
export const arrayLast = end('ARRAY_LAST', 'last', true);

/** First or last element of an array; NULL if there is none. */
function end(name: string, which: string, reversed: boolean): FunctionSpec {
  const usage = `${name}(array)`;
  return {
    names: [name],
    kind: 'scalar',
    safe: 'never fails',
    usage,
    summary: `The ${which} element; NULL of an empty array.`,
    resolve: (call, ctx) => {
      checkCount(call, ctx, usage, 1);
      const list = arrayValue(argument(call, ctx, 0), call, ctx, 0);
      if (list.type.kind !== 'ARRAY') throw new Error(`${name} of no array`);
      const from = reversed ? callValue(call, 'array_reverse', [list], list.type) : list;
      const args = [from, valueOf(call, wholeNumber(0n))];
      return callValue(call, 'list_index', args, list.type.element, { base: 0 });
    },
  };
}
