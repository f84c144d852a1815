/** Functions on values of type JSON, which are JSON texts in normal form. */
import { structPack } from '../../values/struct-pack';
import type { JsonOps } from '../../../../ir/operations/ops';
import type { Type } from '../../../../ir/types';
import * as text from '../../../base/json/json-text';
import type { CallPrinters } from '../../../dialect/dialect';
import { bindOnce, nameOnce } from '../../values/bind-once';
import { floatText } from '../../casts';
import { hasOddNumber, isStrictJson, withMarkedNumbers } from '../../parsing/json-text';
import { quoteText, raise } from '../../values/literals';
import { jsonKeys } from './json-keys';
import { normalNumber } from './json-number';
import { jsonArray, jsonText } from './json-write';
import { forLambda } from '../../values/for-lambda';

type ValueOps = 'to_json' | 'parse_json' | 'json_array' | 'json_type' | 'json_keys' | 'json_to';

export const jsonValues: Pick<CallPrinters<JsonOps>, ValueOps> = {
  to_json: ([x]) => jsonText(x.sql, x.expr.type, 'value'),
  parse_json: (operands, { options: { safe } }) => bindOnce(operands, (x) => parsed(x, safe)),
  json_array: ([x]) => jsonArray(x.sql, x.expr.type),
  json_type: (operands) =>
    bindOnce(
      operands,
      (x) =>
        `(CASE left(${x}, 1) WHEN '{' THEN 'object' WHEN '[' THEN 'array' WHEN '"' THEN 'string' WHEN 'n' THEN 'null' ` +
        `WHEN 't' THEN 'boolean' WHEN 'f' THEN 'boolean' ELSE (CASE WHEN ${x} IS NOT NULL THEN 'number' END) END)`
    ),
  json_keys: (operands, { options }) => bindOnce(operands, (x) => jsonKeys(x, options.levels)),
  json_to: (operands, { type, options: { lax, safe } }) =>
    bindOnce(operands, (x) => {
      const branches = lax ? laxBranches(x, type) : strictBranches(x, type);
      const value = `(CASE ${branches.join(' ')} END)`;
      if (safe) return value;
      return nameOnce(
        structPack([
          ['x', x],
          ['y', value],
        ]),
        (v) => {
          return `(CASE WHEN ${v}.y IS NULL AND ${v}.x IS NOT NULL THEN ${raise('bad_cast')} ELSE ${v}.y END)`;
        }
      );
    }),
};

function parsed(x: string, safe: boolean): string {
  const failed = safe ? 'NULL' : raise('bad_json');
  const marked = `CAST(json(${withMarkedNumbers(x)}) AS VARCHAR)`;
  const tokens = `regexp_extract_all(${marked}, ${quoteText(text.STRINGS)})`;
  const digits = `substr(t, ${text.MARKED_DIGITS_AT}, length(t) - ${text.MARKED_DIGITS_AT})`;
  const number = nameOnce(digits, (v) => normalNumber(v, failed));
  const parts = `list_transform(${forLambda(tokens)}, lambda t: (CASE WHEN starts_with(t, ${quoteText(`"${text.MARK}`)}) THEN ${number} ELSE t END))`;
  const exact = nameOnce(
    parts,
    (v) => `(CASE WHEN len(list_filter(${forLambda(v)}, lambda t: t IS NULL)) = 0 THEN array_to_string(${v}, '') END)`
  );
  return (
    `(CASE WHEN ${x} IS NULL THEN NULL WHEN NOT (${isStrictJson(x)}) THEN ${failed} ` +
    `WHEN ${hasOddNumber(x)} THEN ${exact} ELSE CAST(json(${x}) AS VARCHAR) END)`
  );
}

const isText = (x: string): string => `starts_with(${x}, '"')`;
const isNumber = (x: string): string => `regexp_extract(${x}, '^[-0-9]') <> ''`;
const isWhole = (x: string): string => `regexp_extract(${x}, '^-?[0-9]+$') <> ''`;
const textOf = (x: string): string => `json_extract_string(${x}, '$')`;
/** The largest FLOAT64 below 2^63. */
const inInt64 = (f: string): string => `${f} BETWEEN -9223372036854775808.0 AND 9223372036854774784.0`;

function strictBranches(x: string, type: Type): readonly string[] {
  const float = `TRY_CAST(${x} AS DOUBLE)`;
  switch (type.kind) {
    case 'BOOL':
      return [`WHEN ${x} = 'true' THEN TRUE WHEN ${x} = 'false' THEN FALSE`];
    case 'INT64':
      return [
        `WHEN ${isWhole(x)} THEN TRY_CAST(${x} AS BIGINT)`,
        `WHEN ${isNumber(x)} AND trunc(${float}) = ${float} AND ${inInt64(float)} THEN CAST(${float} AS BIGINT)`,
      ];
    case 'FLOAT64':
      return [`WHEN ${isNumber(x)} THEN ${float}`];
    default:
      return [`WHEN ${isText(x)} THEN ${textOf(x)}`];
  }
}

function laxBranches(x: string, type: Type): readonly string[] {
  const digits = `(CASE WHEN ${isText(x)} THEN regexp_extract(${textOf(x)}, ${quoteText(text.NUMBER_IN_TEXT)}, 1) WHEN ${isNumber(x)} THEN ${x} END)`;
  const float = `TRY_CAST(${digits} AS DOUBLE)`;
  switch (type.kind) {
    case 'BOOL':
      return [
        `WHEN ${x} = 'true' THEN TRUE WHEN ${x} = 'false' THEN FALSE`,
        `WHEN ${isNumber(x)} THEN TRY_CAST(${x} AS DOUBLE) <> 0`,
        `WHEN ${isText(x)} THEN (CASE lower(${textOf(x)}) WHEN 'true' THEN TRUE WHEN 'false' THEN FALSE END)`,
      ];
    case 'INT64':
      return [
        `WHEN ${x} = 'true' THEN CAST(1 AS BIGINT) WHEN ${x} = 'false' THEN CAST(0 AS BIGINT)`,
        `WHEN TRY_CAST(regexp_extract(${digits}, '^[-+]?[0-9]+$') AS BIGINT) IS NOT NULL THEN TRY_CAST(${digits} AS BIGINT)`,
        `WHEN ${inInt64(`round(${float})`)} THEN CAST(round(${float}) AS BIGINT)`,
      ];
    case 'FLOAT64':
      return [`WHEN ${x} NOT IN ('true', 'false') THEN ${float}`];
    default:
      return [
        `WHEN ${isText(x)} THEN ${textOf(x)} WHEN ${x} IN ('true', 'false') OR ${isWhole(x)} THEN ${x}`,
        `WHEN ${isNumber(x)} THEN ${nameOnce(`CAST(${x} AS DOUBLE) + CAST('0' AS DOUBLE)`, floatText)}`,
      ];
  }
}
