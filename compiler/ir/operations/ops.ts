/**
 * Operations of the intermediate representation: what functions and operators of the dialect become. An entry names the
 * operands, and the options, which are not expressions. Each store has a printer for each operation; the type checker
 * names those that are missing (`CallPrinters`, `AggregatePrinters` in print/dialect/dialect.ts).
 */
import type { JsonPathStep } from '../../functions/json/json-path';
import type { FormatElement } from '../../time/time-format';
import type { TimePart, TimeUnit } from '../../time/time-units';
import type { TimeZone } from '../../time/time-zone';
import type { Type } from '../types';

/** Placeholder of an operand; `Mapped` replaces it by an expression, or by printed text. */
export type Arg = 'operand';

export type NoOptions = Readonly<Record<never, never>>;

export interface Op<Operands extends readonly (Arg | undefined)[], Options = NoOptions> {
  readonly operands: Operands;
  readonly options: Options;
}

type Zero = readonly [];
type One = readonly [Arg];
type OneOrTwo = readonly [Arg, Arg?];
type Two = readonly [Arg, Arg];
type TwoOrThree = readonly [Arg, Arg, Arg?];
type Three = readonly [Arg, Arg, Arg];
type Six = readonly [Arg, Arg, Arg, Arg, Arg, Arg];
type Some = readonly [Arg, ...Arg[]];

export interface OperatorOps {
  and: Op<Some>;
  or: Op<Some>;
  not: Op<One>;
  eq: Op<Two>;
  ne: Op<Two>;
  lt: Op<Two>;
  le: Op<Two>;
  gt: Op<Two>;
  ge: Op<Two>;
  is_null: Op<One>;
  is_not_null: Op<One>;
  is_true: Op<One>;
  is_false: Op<One>;
  is_distinct: Op<Two>;
  is_not_distinct: Op<Two>;
  add: Op<Two>;
  sub: Op<Two>;
  mul: Op<Two>;
  /** FLOAT64; NULL for a divisor of zero. */
  divide: Op<Two>;
  mod: Op<Two>;
  neg: Op<One>;
  bit_and: Op<Two>;
  bit_or: Op<Two>;
  bit_xor: Op<Two>;
  bit_not: Op<One>;
  /** Bits that are 1, in two's complement. */
  bit_count: Op<One>;
  shift_left: Op<Two>;
  shift_right: Op<Two>;
  concat: Op<Some>;
  /** Text, pattern. */
  like: Op<Two, { readonly caseInsensitive: boolean }>;
  /** Value, lowest, highest. */
  between: Op<Three>;
  /** Value, choices. */
  in_list: Op<Some>;
  /** List, value. */
  list_contains: Op<Two>;
  /** List, position counted from `base`. */
  list_index: Op<Two, { readonly base: 0 | 1 }>;
  list_length: Op<One>;
}

export interface NumberOps {
  coalesce: Op<Some>;
  nullif: Op<Two>;
  greatest: Op<Some>;
  least: Op<Some>;
  safe_divide: Op<Two>;
  ieee_divide: Op<Two>;
  int_div: Op<Two>;
  abs: Op<One>;
  sign: Op<One>;
  ceil: Op<One>;
  floor: Op<One>;
  /** Number, digits after the point. */
  round: Op<OneOrTwo>;
  trunc: Op<OneOrTwo>;
  sqrt: Op<One>;
  power: Op<Two>;
  exp: Op<One>;
  ln: Op<One>;
  /** Number, base. */
  log: Op<Two>;
  log10: Op<One>;
  is_nan: Op<One>;
  is_inf: Op<One>;
  safe_add: Op<Two>;
  safe_sub: Op<Two>;
  safe_mul: Op<Two>;
  safe_neg: Op<One>;
  safe_exp: Op<One>;
  safe_sqrt: Op<One>;
  safe_ln: Op<One>;
  safe_log10: Op<One>;
  safe_power: Op<Two>;
}

export interface FailureOps {
  /** Fails the run with a message. */
  error: Op<One, { readonly failure: 'error_called' | 'negative_length' | 'too_many_steps' }>;
}

/** Functions of FLOAT64 that are the same in both stores, and random values. */
export interface MathOps {
  sin: Op<One>;
  cos: Op<One>;
  tan: Op<One>;
  asin: Op<One>;
  acos: Op<One>;
  atan: Op<One>;
  atan2: Op<Two>;
  sinh: Op<One>;
  cosh: Op<One>;
  tanh: Op<One>;
  asinh: Op<One>;
  acosh: Op<One>;
  atanh: Op<One>;
  cbrt: Op<One>;
  /** `call`: distinguishes calls, each of which has values of its own. */
  random: Op<Zero, { readonly call: number }>;
  random_uuid: Op<Zero, { readonly call: number }>;
}

/** `safe`: NULL instead of a failure of the run. */
interface Safe {
  readonly safe: boolean;
}

export interface TextOps {
  lower: Op<One>;
  upper: Op<One>;
  reverse: Op<One>;
  length: Op<One>;
  byte_length: Op<One>;
  starts_with: Op<Two>;
  ends_with: Op<Two>;
  contains: Op<Two>;
  contains_substr: Op<Two>;
  strpos: Op<Two>;
  /** Text, characters to remove; default: white space. */
  trim: Op<OneOrTwo>;
  trim_start: Op<OneOrTwo>;
  trim_end: Op<OneOrTwo>;
  split: Op<Two>;
  left: Op<Two, Safe>;
  right: Op<Two, Safe>;
  /** Text, start from 1, length. */
  substr: Op<TwoOrThree, Safe>;
  replace: Op<Three>;
  repeat: Op<Two>;
  /** Text, length, pattern. */
  pad_left: Op<Three>;
  pad_right: Op<Three>;
  /** `point`: a point even where no digit is behind it. */
  format_fixed: Op<One, { readonly code: 'f' | 'F'; readonly digits: number; readonly point: boolean }>;
  /** FLOAT64 with an exponent (`e`), or the shorter of both forms (`g`). */
  format_exponent: Op<One, { readonly code: 'e' | 'E' | 'g' | 'G'; readonly digits: number; readonly point: boolean }>;
  /** A text as a literal, in quotes. */
  text_literal: Op<One>;
  /** INT64 in another base, with a sign. */
  format_base: Op<One, { readonly code: 'o' | 'x' | 'X' }>;
  /** The text of a number with sign, prefix, least number of digits, groups of digits and width. */
  format_layout: Op<
    One,
    {
      /** Of a number that is not negative. */
      readonly sign: '' | '+' | ' ';
      readonly prefix: '' | '0' | '0x' | '0X';
      /** Zeros are put before fewer digits. */
      readonly least: number | null;
      /** `digits`: class of a regular expression. */
      readonly group: { readonly digits: string; readonly size: number; readonly separator: string } | null;
      /** 0 for none. */
      readonly width: number;
      readonly fill: 'left' | 'right' | 'zeros';
    }
  >;
  /** Position of a later occurrence, searched from a position on; 0 if there is none. */
  strpos_from: Op<Two, { readonly position: number; readonly occurrence: number }>;
  /** Text, characters, their replacements. */
  translate: Op<Three>;
  /** `pattern`: characters between words, as a class of a regular expression. */
  /** `hasLetters`: some delimiters are letters, which keep their case. */
  initcap: Op<One, { readonly pattern: string; readonly hasLetters: boolean }>;
  md5_hex: Op<One>;
  sha256_hex: Op<One>;
}

export interface BytesOps {
  bytes_length: Op<One>;
  bytes_bit_count: Op<One>;
  bytes_concat: Op<Some>;
  bytes_starts_with: Op<Two>;
  bytes_ends_with: Op<Two>;
  bytes_strpos: Op<Two>;
  bytes_reverse: Op<One>;
  bytes_replace: Op<Three>;
  bytes_repeat: Op<Two>;
  /** Bytes, bytes to remove. */
  bytes_trim: Op<Two>;
  bytes_trim_start: Op<Two>;
  bytes_trim_end: Op<Two>;
  bytes_split: Op<Two>;
  /** List, separator, bytes for NULL. */
  bytes_join: Op<TwoOrThree>;
  bytes_left: Op<Two, Safe>;
  bytes_right: Op<Two, Safe>;
  bytes_substr: Op<TwoOrThree, Safe>;
  /** Bytes, length, pattern. */
  bytes_pad_left: Op<Three>;
  bytes_pad_right: Op<Three>;
  /** Each byte that is not part of a character becomes U+FFFD. */
  bytes_to_text: Op<One>;
  to_hex: Op<One>;
  from_hex: Op<One, Safe>;
  to_base64: Op<One>;
  from_base64: Op<One, Safe>;
  /** Hashes of a text or of bytes. */
  md5: Op<One>;
  sha1: Op<One>;
  sha256: Op<One>;
}

export interface CodePointOps {
  text_code_points: Op<One>;
  bytes_code_points: Op<One>;
  code_points_to_text: Op<One, Safe>;
  code_points_to_bytes: Op<One, Safe>;
  /** Code point of the first character; 0 for an empty text. */
  first_code_point: Op<One>;
  /** Like `first_code_point`, of ASCII only. */
  first_ascii: Op<One, Safe>;
  chr: Op<One, Safe>;
  normalize_nfc: Op<One>;
}

/** IP addresses: four or 16 bytes. */
export interface AddressOps {
  ip_from_text: Op<One, Safe>;
  ip_to_text: Op<One, Safe>;
  /** Number of bytes, bits of the network. */
  ip_mask: Op<Two, Safe>;
  /** Address, bits of the network. */
  ip_trunc: Op<Two, Safe>;
  ipv4_from_integer: Op<One, Safe>;
  ipv4_to_integer: Op<One, Safe>;
}

interface MatchPart {
  /** 0 for the whole match, else the number of a capturing group. */
  readonly group: number;
}

interface MayMatchNothing {
  readonly empty: boolean;
}

export interface RegexpOps {
  regexp_contains: Op<Two>;
  /** `emptyIsNull`: the group took no part if its text is empty. */
  regexp_extract: Op<Two, MatchPart & { readonly emptyIsNull: boolean }>;
  /** `empty`: whether the pattern matches no characters anywhere. */
  regexp_extract_all: Op<Two, MatchPart & MayMatchNothing>;
  /** `empty`: whether the pattern may match no characters. */
  regexp_replace: Op<Three, MayMatchNothing>;
}

interface InUnit {
  readonly unit: TimeUnit;
}

interface InZone {
  readonly zone: TimeZone;
}

export interface TimeOps {
  /** `weekday`: first day of a week, 0 for Sunday. */
  time_trunc: Op<One, InUnit & InZone & Safe & { readonly weekday: number }>;
  time_add: Op<Two, InUnit & Safe>;
  time_sub: Op<Two, InUnit & Safe>;
  /** Last day of the MONTH, QUARTER or YEAR. */
  last_day: Op<One, InUnit>;
  timestamp_diff: Op<Two, InUnit>;
  datetime_diff: Op<Two, InUnit & { readonly weekday: number }>;
  to_local: Op<One, InZone & Safe>;
  to_local_date: Op<One, InZone & Safe>;
  from_local: Op<One, InZone & Safe>;
  make_date: Op<Three, Safe>;
  make_datetime: Op<Six, Safe>;
  extract: Op<One, { readonly part: TimePart }>;
  unix_seconds: Op<One>;
  unix_millis: Op<One>;
  unix_micros: Op<One>;
  /** `scale`: microseconds of one unit of the count. */
  timestamp_from: Op<One, Safe & { readonly scale: number }>;
  format_time: Op<One, InZone & { readonly elements: readonly FormatElement[] }>;
  parse_timestamp: Op<One, InZone & Safe & { readonly elements: readonly FormatElement[] }>;
}

/** TIME is in microseconds since midnight. */
export interface TimeOfDayOps {
  /** TIME of a TIMESTAMP in UTC, or of a DATETIME. */
  time_of_day: Op<One>;
  /** The same number as INT64. */
  time_micros: Op<One>;
  time_from_micros: Op<One>;
  /** Hour, minute, second. */
  make_time: Op<Three, Safe>;
}

/** Intervals with months, days and microseconds of any sign. */
export interface IntervalOps {
  interval_of_unit: Op<One, InUnit & Safe>;
  /** Years, months, days, hours, minutes, seconds. */
  make_interval: Op<Six, Safe>;
  /** Months, days, microseconds. */
  interval_of_parts: Op<Three, Safe>;
  /** Difference of two times of one type: days of DATE, days and microseconds of DATETIME, else microseconds. */
  interval_between: Op<Two>;
  /** Microseconds of the whole, with months of 30 days and days of 24 hours. */
  interval_length: Op<One>;
  /** `CLOCK`: days and microseconds, in microseconds. */
  interval_part: Op<One, { readonly part: IntervalPart }>;
  /** Like the part `CLOCK`; fails for an interval with months. */
  interval_clock: Op<One, Safe>;
  interval_add: Op<Two, Safe>;
  interval_sub: Op<Two, Safe>;
  /** Interval, integer. */
  interval_mul: Op<Two, Safe>;
  interval_div: Op<Two, Safe>;
  interval_justify: Op<One, Safe & { readonly which: 'HOURS' | 'DAYS' | 'INTERVAL' }>;
}

export type IntervalPart = 'MONTHS' | 'DAYS' | 'MICROS' | 'CLOCK';

export interface ListOps {
  /**
   * Structs of the elements at each position; NULL if a list is NULL. PAD completes shorter lists with NULL, TRUNCATE
   * ends with the shortest, STRICT fails for lists of different lengths.
   */
  list_zip: Op<Some, { readonly mode: 'PAD' | 'TRUNCATE' | 'STRICT' }>;
  /** The lists of a list one after the other; an inner list that is NULL is left out. */
  list_flatten: Op<One>;
  /** List, first and last offset from 0, or from the end where negative. */
  list_slice: Op<Three>;
  list_sum: Op<One>;
  list_avg: Op<One>;
  list_min: Op<One>;
  list_max: Op<One>;
  /** Whether no two elements are the same, NULLs included. */
  list_is_distinct: Op<One>;
  /**
   * Value, list: number of elements that are not larger. Fails for a list that does not ascend, or holds NULL or NaN.
   */
  range_bucket: Op<Two>;
}

/** A list, then a lambda over its elements; a condition is never NULL. */
export interface LambdaOps {
  /** Elements for which the lambda is true. */
  list_filter: Op<Two>;
  /** Values of the lambda. */
  list_map: Op<Two>;
  /** Whether the lambda is true of an element; NULL for a NULL list. */
  list_any: Op<Two>;
}

export interface ArrayOps {
  array_concat: Op<Some>;
  array_reverse: Op<One>;
  /** List, separator, text for NULL. */
  array_to_string: Op<TwoOrThree>;
  /** First, last, step. */
  generate_array: Op<Three>;
  generate_timestamp_array: Op<Three, InUnit>;
}

interface AtPath {
  readonly path: readonly JsonPathStep[];
}

export interface JsonOps {
  json_value: Op<One, AtPath>;
  json_query: Op<One, AtPath>;
  json_value_array: Op<One, AtPath>;
  json_query_array: Op<One, AtPath>;
  /** `as`: the type that determines the JSON, which for a record is not that of its text. */
  to_json_string: Op<One, { readonly as: Type['kind'] }>;
  /** JSON text on several lines. */
  pretty_json: Op<One>;
  to_json: Op<One, { readonly as: Type['kind'] }>;
  parse_json: Op<One, Safe>;
  /** JSON of an array with the fields of a struct as elements. */
  json_array: Op<One>;
  /** Name of the kind of a JSON value. */
  json_type: Op<One>;
  /** Keys of an object, sorted. */
  json_keys: Op<One, { readonly levels: number }>;
  /** `as`: the type of the call. `lax`: converted from other kinds, NULL instead of a failure. */
  json_to: Op<One, Safe & { readonly lax: boolean; readonly as: Type['kind'] }>;
}

/** Scalar operations. */
export interface Ops
  extends
    OperatorOps,
    NumberOps,
    FailureOps,
    MathOps,
    TextOps,
    RegexpOps,
    TimeOps,
    TimeOfDayOps,
    BytesOps,
    CodePointOps,
    AddressOps,
    IntervalOps,
    ArrayOps,
    ListOps,
    LambdaOps,
    JsonOps {}

export type OpName = keyof Ops;

/** Aggregates of groups, which are window functions, too. */
export interface GroupOps {
  count_rows: Op<Zero>;
  count: Op<One>;
  count_if: Op<One>;
  sum: Op<One>;
  avg: Op<One>;
  min: Op<One>;
  max: Op<One>;
  any_value: Op<One>;
  logical_and: Op<One>;
  logical_or: Op<One>;
  stddev_samp: Op<One>;
  stddev_pop: Op<One>;
  var_samp: Op<One>;
  var_pop: Op<One>;
  group_bit_and: Op<One>;
  group_bit_or: Op<One>;
  group_bit_xor: Op<One>;
  corr: Op<Two>;
  covar_pop: Op<Two>;
  covar_samp: Op<Two>;
  approx_count_distinct: Op<One>;
  /** `n`: number of intervals. */
  approx_quantiles: Op<One, { readonly n: number }>;
  /** The value at fraction k/n of the sorted values. */
  quantile: Op<One, { readonly k: number; readonly n: number }>;
  /** Interpolated value at a fraction. */
  quantile_cont: Op<One, { readonly at: number }>;
  /** Value, key. */
  max_by: Op<Two>;
  min_by: Op<Two>;
  /** `n`: number of elements. */
  approx_top_count: Op<One, { readonly n: number }>;
  array_agg: Op<One>;
  /** Text, separator. */
  string_agg: Op<Two>;
}

/** Functions with OVER only. */
export interface WindowOps {
  row_number: Op<Zero>;
  rank: Op<Zero>;
  dense_rank: Op<Zero>;
  percent_rank: Op<Zero>;
  cume_dist: Op<Zero>;
  ntile: Op<One>;
  /** Value, distance, value where there is no such row. */
  lag: Op<readonly [Arg, Arg?, Arg?]>;
  lead: Op<readonly [Arg, Arg?, Arg?]>;
  first_value: Op<One>;
  last_value: Op<One>;
  nth_value: Op<Two>;
}

export interface GroupingOps {
  /** 1 in the rows of grouping sets without the key, which is a plain column. */
  grouping: Op<One>;
}

export interface AggregateOps extends GroupOps, WindowOps, GroupingOps {}

export type AggregateName = keyof AggregateOps;

/** A tuple of operands with each as a `T`. */
export type Mapped<Operands extends readonly unknown[], T> = { readonly [K in keyof Operands]: T };

export type OptionsOf<O extends OpName | AggregateName> = (Ops & AggregateOps)[O]['options'];

export type OperandsOf<O extends OpName | AggregateName, T> = Mapped<(Ops & AggregateOps)[O]['operands'], T>;

/** Operations without options. */
export type PlainOp = { [O in OpName]: NoOptions extends Ops[O]['options'] ? O : never }[OpName];

export type PlainAggregate = {
  [O in AggregateName]: NoOptions extends AggregateOps[O]['options'] ? O : never;
}[AggregateName];

/** Nothing for an operation without options. */
export type OptionsArgument<O extends OpName | AggregateName> =
  NoOptions extends OptionsOf<O> ? readonly [] : readonly [OptionsOf<O>];

export const NO_OPTIONS: NoOptions = Object.freeze({});
