/** Every function of the dialect. A name that is not listed here does not exist. */
import { approxQuantiles } from './aggregates/approx-quantiles';
import { anyValue, logicalAnd, logicalOr, max, min } from './aggregates/choosing';
import { arrayAgg, stringAgg } from './aggregates/collecting';
import { approxCountDistinct, count, countIf } from './aggregates/counting';
import { avg, stddev, sum, variance } from './aggregates/numeric';
import { arrayConcat, arrayLength, arrayToString } from './arrays/arrays';
import { generateArray, generateTimestampArray } from './arrays/generate-array';
import { coalesce, ifnull } from './conditions/coalesce';
import { greatest, least } from './conditions/greatest';
import { ifFunction } from './conditions/if';
import { nullif } from './conditions/nullif';
import type { FunctionSpec } from './function';
import { jsonQuery, jsonValue, toJsonString } from './json/json';
import { numberFunctions } from './numbers/numbers';
import { md5, sha256, toHex } from './text/hash';
import { left, lpad, repeat, right, rpad, substr } from './text/parts';
import { regexpContains, regexpExtract, regexpReplace } from './text/regexp';
import { split } from './text/split';
import { textFunctions } from './text/text';
import { timeArithmetic } from './time/arithmetic';
import { date, datetime, timestamp } from './time/conversions';
import { currentDate, currentDatetime, currentTimestamp } from './time/current';
import { formatFunctions, parseTimestamp } from './time/formats';
import { unixFunctions } from './time/unix';
import { windowFunctions } from './windows/windows';

export interface FunctionFamily {
  readonly title: string;
  readonly functions: readonly FunctionSpec[];
}

export const FUNCTION_FAMILIES: readonly FunctionFamily[] = [
  {
    title: 'Aggregates',
    functions: [
      count,
      countIf,
      sum,
      avg,
      min,
      max,
      anyValue,
      logicalAnd,
      logicalOr,
      approxCountDistinct,
      approxQuantiles,
      arrayAgg,
      stringAgg,
      stddev,
      variance,
    ],
  },
  { title: 'Windows', functions: windowFunctions },
  {
    title: 'Time',
    functions: [
      currentTimestamp,
      currentDatetime,
      currentDate,
      ...timeArithmetic,
      timestamp,
      datetime,
      date,
      ...formatFunctions,
      parseTimestamp,
      ...unixFunctions,
    ],
  },
  {
    title: 'Text',
    functions: [
      ...textFunctions,
      substr,
      left,
      right,
      lpad,
      rpad,
      repeat,
      split,
      regexpContains,
      regexpExtract,
      regexpReplace,
      toHex,
      md5,
      sha256,
    ],
  },
  { title: 'Numbers', functions: numberFunctions },
  { title: 'Conditions', functions: [coalesce, ifnull, nullif, ifFunction, greatest, least] },
  { title: 'JSON', functions: [jsonValue, jsonQuery, toJsonString] },
  { title: 'Arrays', functions: [arrayLength, arrayConcat, arrayToString, generateArray, generateTimestampArray] },
];

const byName: ReadonlyMap<string, FunctionSpec> = new Map(
  FUNCTION_FAMILIES.flatMap(({ functions }) => functions).flatMap((spec) => spec.names.map((name) => [name, spec]))
);

/** `name` in upper case, as calls hold it. */
export function lookupFunction(name: string): FunctionSpec | undefined {
  return byName.get(name);
}

/** All names, in the order of the catalogue. */
export function functionNames(): readonly string[] {
  return [...byName.keys()];
}
