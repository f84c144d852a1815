/** Functions on values of type JSON, which are JSON texts in normal form. */
import type { JsonOps } from '../../../../ir/operations/ops';
import type { Type } from '../../../../ir/types';
import * as text from '../../../base/json/json-text';
import type { CallPrinters } from '../../../dialect/dialect';
import { bindOnce, nameOnce } from '../../values/bind-once';
import { floatText } from '../../casts';
import { hasOddNumber, withMarkedNumbers } from '../../parsing/json-text';
import { castTo, quoteText } from '../../values/literals';
import { jsonKeys } from './json-keys';
import { normalNumber } from './json-number';
import { roundHalfAway } from '../numbers/numbers';
import { orFail } from '../../values/or-fail';
import { jsonArray, jsonText } from './json-write';

type ValueOps = 'to_json' | 'parse_json' | 'json_array' | 'json_type' | 'json_keys' | 'json_to';

export const jsonValues: Pick<CallPrinters<JsonOps>, ValueOps> = {
  to_json: (operands) => bindOnce(operands, (v) => jsonText(v, operands[0].expr.type, 'value')),
  parse_json: (operands, { options: { safe } }) => bindOnce(operands, (x) => orFail(x, parsed(x), safe, 'bad_json')),
  json_array: (operands) => bindOnce(operands, (v) => jsonArray(v, operands[0].expr.type)),
  json_type: (operands) =>
    bindOnce(operands, (x) => {
      const kinds = `transform(substring(${x}, 1, 1), ['{', '[', '"', 'n', 't', 'f'], ['object', 'array', 'string', 'null', 'boolean', 'boolean'], 'number')`;
      return `if(${x} IS NULL, NULL, ${kinds})`;
    }),
  json_keys: (operands, { options }) => bindOnce(operands, (x) => jsonKeys(x, options.levels)),
  json_to: (operands, { type, options: { lax, safe } }) =>
    bindOnce(operands, (x) => {
      const branches = lax ? laxBranches(x, type) : strictBranches(x, type);
      return orFail(x, castTo(`multiIf(${branches.join(', ')}, NULL)`, type), safe, 'bad_cast');
    }),
};

function parsed(x: string): string {
  const marked = `JSONExtractRaw(${withMarkedNumbers(`ifNull(${x}, '')`)})`;
  const tokens = `extractAll(ifNull(${marked}, ''), ${quoteText(text.STRINGS)})`;
  const digits = `substring(t, ${text.MARKED_DIGITS_AT_BYTE}, length(t) - ${text.MARKED_DIGITS_AT_BYTE})`;
  const isNumber = `startsWith(t, ${quoteText(`"${text.MARK}`)})`;
  const number = nameOnce(digits, (v) => normalNumber(v));
  const exact = nameOnce(
    `arrayMap(t -> if(${isNumber}, ${number}, t), ${tokens})`,
    (v) => `if(arrayExists(t -> t IS NULL, ${v}), NULL, arrayStringConcat(arrayMap(t -> ifNull(t, ''), ${v})))`
  );
  // ClickHouse does not read integers of more than 64 bits, which may be part of a number with an exponent.
  return `multiIf(isValidJSON(${x}) AND NOT ${hasOddNumber(x)}, JSONExtractRaw(${x}), isValidJSON(${withMarkedNumbers(x)}), ${exact}, NULL)`;
}

const isText = (x: string): string => `startsWith(${x}, '"')`;
const isNumber = (x: string): string => `match(${x}, '^[-0-9]')`;
const isWhole = (x: string): string => `match(${x}, '^-?[0-9]+$')`;
const textOf = (x: string): string => `JSONExtractString(ifNull(${x}, ''))`;
/** The largest FLOAT64 below 2^63. */
const inInt64 = (f: string): string =>
  `${f} BETWEEN toFloat64('-9223372036854775808') AND toFloat64('9223372036854774784')`;

function strictBranches(x: string, type: Type): readonly string[] {
  const float = `toFloat64OrNull(${x})`;
  switch (type.kind) {
    case 'BOOL':
      return [`${x} = 'true', TRUE, ${x} = 'false', FALSE`];
    case 'INT64':
      return [
        `${isWhole(x)}, accurateCastOrNull(toInt128OrNull(${x}), 'Int64')`,
        `${isNumber(x)} AND trunc(${float}) = ${float} AND ${inInt64(float)}, accurateCastOrNull(${float}, 'Int64')`,
      ];
    case 'FLOAT64':
      return [`${isNumber(x)}, ${float}`];
    default:
      return [`${isText(x)}, ${textOf(x)}`];
  }
}

function laxBranches(x: string, type: Type): readonly string[] {
  const inText = `replaceRegexpOne(extract(${textOf(x)}, ${quoteText(text.NUMBER_IN_TEXT)}), '^\\\\+', '')`;
  const digits = `multiIf(${isText(x)}, ${inText}, ${isNumber(x)}, ${x}, '')`;
  const float = `toFloat64OrNull(${digits})`;
  const rounded = roundHalfAway(float);
  switch (type.kind) {
    case 'BOOL':
      return [
        `${x} = 'true', TRUE, ${x} = 'false', FALSE, ${isNumber(x)}, toFloat64OrNull(${x}) <> 0`,
        `${isText(x)} AND lower(${textOf(x)}) = 'true', TRUE, ${isText(x)} AND lower(${textOf(x)}) = 'false', FALSE`,
      ];
    case 'INT64':
      return [
        `${x} = 'true', toInt64(1), ${x} = 'false', toInt64(0)`,
        `match(${digits}, '^-?[0-9]{1,30}$'), accurateCastOrNull(toInt128OrNull(${digits}), 'Int64')`,
        `${inInt64(rounded)}, accurateCastOrNull(${rounded}, 'Int64')`,
      ];
    case 'FLOAT64':
      return [`${x} NOT IN ('true', 'false'), ${float}`];
    default:
      return [
        `${isText(x)}, ${textOf(x)}, ${x} IN ('true', 'false') OR ${isWhole(x)}, ${x}`,
        `${isNumber(x)}, ${nameOnce(`(toFloat64OrNull(${x}) + 0)`, floatText)}`,
      ];
  }
}
