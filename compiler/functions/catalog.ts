/** Function registry: every function of the dialect. Names that are not listed are refused. */
import { bitAnd, bitOr, bitXor } from './aggregates/bitwise';
import { corr, covarPop, covarSamp } from './aggregates/correlation';
import { approxQuantiles } from './aggregates/approx-quantiles';
import { approxTopCount } from './aggregates/approx-top-count';
import { approxTopSum } from './aggregates/approx-top-sum';
import { anyValue, logicalAnd, logicalOr, max, min } from './aggregates/choosing';
import { arrayAgg, arrayConcatAgg, stringAgg } from './aggregates/collecting';
import { approxCountDistinct, count, countIf } from './aggregates/counting';
import { grouping } from './aggregates/grouping';
import { maxBy, minBy } from './aggregates/extremes-by';
import { avg, stddev, stddevPop, sum, variance, varPop } from './aggregates/numeric';
import { percentileCont, percentileDisc } from './aggregates/percentiles';
import { arrayConcat, arrayFirst, arrayLast, arrayLength, arrayReverse, arrayToString, flatten } from './arrays/arrays';
import { arrayFilter, arrayTransform } from './arrays/lambdas';
import { arrayAvg, arrayIsDistinct, arrayMax, arrayMin, arraySlice, arraySum } from './arrays/reducing';
import {
  arrayFind,
  arrayFindAll,
  arrayIncludes,
  arrayIncludesAll,
  arrayIncludesAny,
  arrayOffset,
  arrayOffsets,
} from './arrays/searching';
import { generateArray, generateDateArray, generateTimestampArray } from './arrays/generate-array';
import { addressFunctions } from './bytes/addresses';
import { codePointFunctions } from './bytes/code-points';
import { fromBase64, fromHex, safeConvertBytesToString, toBase64, toHex } from './bytes/encodings';
import { md5, sha1, sha256 } from './bytes/hashes';
import { normalize } from './bytes/normalize';
import { coalesce, ifnull } from './conditions/coalesce';
import { greatest, least } from './conditions/greatest';
import { ifFunction } from './conditions/if';
import { nullif } from './conditions/nullif';
import { error, ifError, isError, nullIfError } from './conditions/iferror';
import { typeOf } from './conditions/typeof';
import type { FunctionSpec } from './function';
import { jsonQuery, jsonQueryArray, jsonValue, jsonValueArray, toJsonString } from './json/json';
import { jsonArray, jsonConversions, jsonKeys, jsonObject, jsonType, parseJson, toJson } from './json/json-values';
import { bitCount } from './numbers/bit-count';
import { numberFunctions } from './numbers/numbers';
import { rand, generateUuid } from './numbers/random';
import { safeArithmetic } from './numbers/safe';
import { trigonometry } from './numbers/trigonometry';
import { initcap, translate } from './text/characters';
import { format } from './text/format/format';
import { netHost } from './text/host';
import { instr } from './text/instr';
import { left, lpad, repeat, right, rpad, substr } from './text/parts';
import { regexpContains, regexpExtract, regexpExtractAll, regexpReplace } from './text/regexp/regexp';
import { split } from './text/split';
import { regexpExtractGroups, regexpInstr } from './text/regexp/regexp-parts';
import { soundex } from './text/soundex';
import { splitSubstr } from './text/split-substr';
import { arrayEnds } from './arrays/ends';
import { rangeBucket } from './arrays/range-bucket';
import { arrayZip } from './arrays/zip';
import { textFunctions } from './text/text';
import { timeArithmetic } from './time/arithmetic';
import { bucketFunctions } from './time/buckets';
import { date, datetime, string, timestamp } from './time/conversions';
import { currentDate, currentDatetime, currentTime, currentTimestamp } from './time/current';
import { dateFromUnixDate, lastDay, unixDate } from './time/days';
import { formatFunctions, parseFunctions } from './time/formats';
import { intervalFunctions } from './time/intervals';
import { timeOfDayFunctions } from './time/time-of-day';
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
      minBy,
      maxBy,
      anyValue,
      logicalAnd,
      logicalOr,
      approxCountDistinct,
      approxQuantiles,
      percentileCont,
      percentileDisc,
      approxTopCount,
      approxTopSum,
      arrayAgg,
      arrayConcatAgg,
      stringAgg,
      stddev,
      stddevPop,
      variance,
      varPop,
      corr,
      covarPop,
      covarSamp,
      bitAnd,
      bitOr,
      bitXor,
      grouping,
    ],
  },
  { title: 'Windows', functions: windowFunctions },
  {
    title: 'Time',
    functions: [
      currentTimestamp,
      currentDatetime,
      currentDate,
      currentTime,
      ...timeArithmetic,
      ...timeOfDayFunctions,
      ...intervalFunctions,
      ...bucketFunctions,
      lastDay,
      timestamp,
      datetime,
      date,
      string,
      ...formatFunctions,
      ...parseFunctions,
      ...unixFunctions,
      unixDate,
      dateFromUnixDate,
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
      instr,
      translate,
      initcap,
      soundex,
      regexpContains,
      regexpExtract,
      regexpExtractAll,
      regexpReplace,
      regexpInstr,
      regexpExtractGroups,
      splitSubstr,
      netHost,
      format,
      normalize,
      ...codePointFunctions,
    ],
  },
  {
    title: 'Bytes',
    functions: [toHex, fromHex, toBase64, fromBase64, safeConvertBytesToString, md5, sha1, sha256, ...addressFunctions],
  },
  {
    title: 'Numbers',
    functions: [...numberFunctions, bitCount, rangeBucket, ...safeArithmetic, ...trigonometry, rand, generateUuid],
  },
  {
    title: 'Conditions',
    functions: [coalesce, ifnull, nullif, ifFunction, greatest, least, typeOf, ifError, isError, nullIfError, error],
  },
  {
    title: 'JSON',
    functions: [
      jsonValue,
      jsonQuery,
      jsonValueArray,
      jsonQueryArray,
      toJsonString,
      parseJson,
      toJson,
      jsonObject,
      jsonArray,
      jsonType,
      jsonKeys,
      ...jsonConversions,
    ],
  },
  {
    title: 'Arrays',
    functions: [
      arrayLength,
      flatten,
      arrayConcat,
      arrayReverse,
      arrayFirst,
      arrayLast,
      arrayToString,
      arrayFilter,
      arrayTransform,
      arrayIncludes,
      arrayIncludesAny,
      arrayIncludesAll,
      arrayFind,
      arrayFindAll,
      arrayOffset,
      arrayOffsets,
      arraySlice,
      ...arrayEnds,
      arrayZip,
      arraySum,
      arrayAvg,
      arrayMin,
      arrayMax,
      arrayIsDistinct,
      generateArray,
      generateTimestampArray,
      generateDateArray,
    ],
  },
];

const byName: ReadonlyMap<string, FunctionSpec> = new Map(
  FUNCTION_FAMILIES.flatMap(({ functions }) => functions).flatMap((spec) => spec.names.map((name) => [name, spec]))
);

/** @param name in upper case, as in calls */
export function lookupFunction(name: string): FunctionSpec | undefined {
  return byName.get(name);
}

/** All names, in the order of the registry. */
export function functionNames(): readonly string[] {
  return [...byName.keys()];
}
