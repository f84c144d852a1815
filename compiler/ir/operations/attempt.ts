/**
 * Evaluation that does not fail: a value with NULL for failures, and conditions that tell whether it failed. For
 * IFERROR and its relatives.
 */
import { recordOf } from '#contract/records';
import { callOf, isCall } from './call';
import { computedFrom, type Once, onceOf } from './lambda';
import type { CallExpr, CaseExpr, CastExpr, Expr } from '../expression';
import type { OpName } from './ops';
import { expressionKey } from '../passes/expression-key';
import { children, withChildren } from '../walk/children';
import { safeForm } from './safe-form';
import { BOOL, INT64, type Type } from '../types';
import { mapItems } from '../../items';

export interface Attempt {
  /** NULL where the expression fails. */
  readonly value: Expr;
  /** Whether it fails, never NULL; null: it never does. */
  readonly failed: Expr | null;
}

/** An expression whose failure cannot be distinguished from its value. */
export class NotAttemptable extends Error {
  /** @param part what cannot be attempted, for a message: `a subquery` */
  constructor(readonly part: string) {
    super(part);
  }
}

/** How an operation fails on a value. */
type Failing =
  /** Never, with any result. */
  | 'never'
  /** It gives NULL only for a NULL, or where its safe form fails. */
  | 'null'
  /** By a rule of its own in `attemptCall`. */
  | 'own'
  /** No form of the operation gives NULL. */
  | 'unknown';

const FAILING: Readonly<Record<OpName, Failing>> = {
  ...recordOf(['error', 'coalesce', 'list_index'], 'own'),
  ...recordOf(['list_sum', 'list_avg', 'code_points_to_text', 'code_points_to_bytes'], 'unknown'),
  ...recordOf(['add', 'sub', 'mul', 'neg', 'divide', 'mod', 'int_div', 'abs', 'shift_left', 'shift_right'], 'null'),
  ...recordOf(['round', 'trunc', 'sqrt', 'power', 'exp', 'ln', 'log', 'log10', 'sin', 'cos', 'tan', 'asin'], 'null'),
  ...recordOf(['acos', 'sinh', 'cosh', 'tanh', 'asinh', 'acosh', 'atanh', 'like', 'left', 'right', 'substr'], 'null'),
  ...recordOf(['repeat', 'pad_left', 'pad_right', 'time_trunc', 'time_add', 'time_sub', 'to_local'], 'null'),
  ...recordOf(['to_local_date', 'from_local', 'make_date', 'make_datetime', 'timestamp_from'], 'null'),
  ...recordOf(['parse_timestamp', 'generate_array', 'generate_timestamp_array', 'list_zip', 'parse_json'], 'null'),
  ...recordOf(['json_to', 'bytes_left', 'bytes_right', 'bytes_substr', 'bytes_repeat', 'bytes_pad_left'], 'null'),
  ...recordOf(['bytes_pad_right', 'from_hex', 'from_base64', 'chr', 'first_ascii', 'ip_from_text'], 'null'),
  ...recordOf(['ip_to_text', 'ip_mask', 'ip_trunc', 'ipv4_from_integer', 'ipv4_to_integer', 'make_time'], 'null'),
  ...recordOf(['make_interval', 'interval_of_unit', 'interval_of_parts', 'interval_clock', 'interval_add'], 'null'),
  ...recordOf(['interval_sub', 'interval_mul', 'interval_div', 'interval_justify', 'range_bucket'], 'null'),
  ...recordOf(['and', 'or', 'not', 'eq', 'ne', 'lt', 'le', 'gt', 'ge', 'between', 'in_list', 'list_contains'], 'never'),
  ...recordOf(['is_null', 'is_not_null', 'is_true', 'is_false', 'is_distinct', 'is_not_distinct', 'bit_and'], 'never'),
  ...recordOf(['bit_or', 'bit_xor', 'bit_not', 'concat', 'list_length', 'nullif', 'greatest', 'least'], 'never'),
  ...recordOf(['safe_add', 'safe_sub', 'safe_mul', 'safe_neg', 'safe_divide', 'safe_exp', 'safe_sqrt'], 'never'),
  ...recordOf(['safe_ln', 'safe_log10', 'safe_power', 'ieee_divide', 'sign', 'ceil', 'floor', 'is_nan'], 'never'),
  ...recordOf(['is_inf', 'atan', 'atan2', 'cbrt', 'random', 'random_uuid', 'lower', 'upper', 'reverse'], 'never'),
  ...recordOf(['length', 'byte_length', 'starts_with', 'ends_with', 'contains', 'contains_substr', 'strpos'], 'never'),
  ...recordOf(['strpos_from', 'trim', 'trim_start', 'trim_end', 'split', 'replace', 'translate', 'initcap'], 'never'),
  ...recordOf(['md5_hex', 'sha256_hex', 'format_fixed', 'format_exponent', 'format_base', 'format_layout'], 'never'),
  ...recordOf(['text_literal'], 'never'),
  ...recordOf(['regexp_contains', 'regexp_extract', 'regexp_extract_all', 'regexp_replace', 'last_day'], 'never'),
  ...recordOf(['timestamp_diff', 'datetime_diff', 'extract', 'unix_seconds', 'unix_millis', 'unix_micros'], 'never'),
  ...recordOf(['format_time', 'list_flatten', 'list_slice', 'list_min', 'list_max', 'list_is_distinct'], 'never'),
  ...recordOf(['list_filter', 'list_map', 'list_any', 'array_concat', 'array_reverse', 'array_to_string'], 'never'),
  ...recordOf(['json_value', 'json_query', 'json_value_array', 'json_query_array', 'to_json_string'], 'never'),
  ...recordOf(['pretty_json', 'to_json', 'json_array', 'json_type', 'json_keys', 'bytes_length'], 'never'),
  ...recordOf(['bytes_concat', 'bytes_starts_with', 'bytes_ends_with', 'bytes_strpos', 'bytes_reverse'], 'never'),
  ...recordOf(['bytes_replace', 'bytes_trim', 'bytes_trim_start', 'bytes_trim_end', 'bytes_split'], 'never'),
  ...recordOf(['bytes_join', 'bytes_to_text', 'to_hex', 'to_base64', 'md5', 'sha1', 'sha256'], 'never'),
  ...recordOf(['text_code_points', 'bytes_code_points', 'first_code_point', 'normalize_nfc', 'time_of_day'], 'never'),
  ...recordOf(['bit_count', 'bytes_bit_count'], 'never'),
  ...recordOf(['time_micros', 'time_from_micros', 'interval_between', 'interval_length', 'interval_part'], 'never'),
};

/** @throws NotAttemptable */
export function attempt(expr: Expr): Attempt {
  const part = attemptPart(expr);
  return { value: part.value, failed: anyOf(failuresOf(part)) };
}

interface Part {
  readonly value: Expr;
  /** Conditions of which one is true where an operand fails. */
  readonly failures: readonly Expr[];
  /** The value fails where it is NULL though none of these is; null: its NULL is no failure. */
  readonly causes: readonly Expr[] | null;
}

function attemptPart(expr: Expr): Part {
  switch (expr.kind) {
    case 'call':
      return attemptCall(expr);
    case 'cast': {
      if (expr.safe || neverFails(expr)) return withoutFailure(expr);
      return strict([attemptPart(expr.operand)], ([operand = expr.operand]) => safeForm({ ...expr, operand }));
    }
    case 'case':
      return attemptCase(expr);
    case 'subquery':
    case 'in-subquery':
      throw new NotAttemptable('a subquery');
    case 'lambda': {
      const body = attemptPart(expr.body);
      if (failuresOf(body).length > 0) throw new NotAttemptable('a lambda that may fail');
      return { value: expr, failures: [], causes: null };
    }
    // What happens before the expression is computed is no failure of it.
    case 'aggregate':
    case 'redacted':
    case 'json-field':
      return { value: expr, failures: [], causes: null };
    default:
      return withoutFailure(expr);
  }
}

const NUMBERS_AND_TIMES: ReadonlySet<Type['kind']> = new Set([
  'INT64',
  'BOOL',
  'TIMESTAMP',
  'DATETIME',
  'DATE',
  'TIME',
]);

function neverFails({ operand, type }: CastExpr): boolean {
  const from = operand.type.kind;
  if (type.kind === 'STRING') return from !== 'BYTES';
  return NUMBERS_AND_TIMES.has(from) || (from === 'FLOAT64' && type.kind === 'BOOL');
}

function attemptCall(call: CallExpr): Part {
  const { fn } = call;
  const once = onceOf(call);
  if (once !== undefined) return attemptOnce(call, once);
  if (isCall(call, 'list_index') && call.safe !== true) return attemptIndex(call);
  if (isCall(call, 'coalesce')) return attemptCoalesce(call);
  // Limits hold in any case.
  if (isCall(call, 'error') && call.options.failure === 'too_many_steps') return withoutFailure(call);
  if (isCall(call, 'error'))
    return { value: { kind: 'literal', type: call.type, value: null }, failures: [bool(true)], causes: null };
  const isSafe =
    call.safe === true || (Object.hasOwn(call.options, 'safe') && (call.options as { safe: boolean }).safe);
  if (isSafe || FAILING[fn] === 'never') return withoutFailure(call);
  if (FAILING[fn] !== 'null') throw new NotAttemptable('a function without a form that gives NULL');
  return strict(call.args.map(attemptPart), (args) => safeForm({ ...call, args }));
}

/** An expression that does not fail itself. */
function withoutFailure(expr: Expr): Part {
  const failures: Expr[] = [];
  let isSame = true;
  const value = withChildren(expr, (child) => {
    const part = attemptPart(child);
    failures.push(...failuresOf(part));
    isSame &&= part.value === child;
    return part.value;
  });
  return { value: isSame ? expr : value, failures, causes: null };
}

/** A value that is computed once, where what is made of it may fail, too. */
function attemptOnce(call: CallExpr, { value, lambda }: Once): Part {
  const [item, body] = [attemptPart(value), attemptPart(lambda.body)];
  const failed = anyOf(failuresOf(body));
  const failures = [...failuresOf(item), ...(failed === null ? [] : [computedFrom(item.value, lambda, failed)])];
  const isSame = item.value === value && body.value === lambda.body;
  return { value: isSame ? call : computedFrom(item.value, lambda, body.value), failures, causes: null };
}

function strict(operands: readonly Part[], make: (values: readonly Expr[]) => Expr): Part {
  const value = make(operands.map((part) => part.value));
  const causes = operands.flatMap((part) => part.causes ?? [part.value]).filter((cause) => !isPresent(cause));
  return { value, failures: operands.flatMap((part) => part.failures), causes: distinct(causes) };
}

function attemptIndex(call: CallExpr<'list_index'>): Part {
  const parts = call.args.map(attemptPart);
  const [list, index] = parts.map((part) => part.value) as [Expr, Expr];
  const base: Expr = { kind: 'literal', type: INT64, value: BigInt(call.options.base) };
  const count = callOf('list_length', [list], INT64);
  const end = call.options.base === 0 ? count : callOf('add', [count, base], INT64);
  const isOutside = callOf('or', [callOf('lt', [index, base], BOOL), callOf('ge', [index, end], BOOL)], BOOL);
  const isKnown = mapItems([list, index], (operand) => callOf('is_not_null', [operand], BOOL));
  const failed = callOf('and', [...isKnown, isOutside], BOOL);
  return {
    value: { ...call, args: [list, index] },
    failures: [...parts.flatMap(failuresOf), isTrue(failed)],
    causes: null,
  };
}

/** The operands up to the first that is not NULL are computed. */
function attemptCoalesce(call: CallExpr<'coalesce'>): Part {
  const parts = call.args.map(attemptPart);
  const branches = parts.flatMap((part) => [
    ...whenFailed(part),
    { when: callOf('is_not_null', [part.value], BOOL), then: bool(false) },
  ]);
  const value: Expr = { ...call, args: parts.map((part) => part.value) };
  return { value, failures: inBranches(parts, branches, bool(false)), causes: null };
}

function attemptCase(expr: CaseExpr): Part {
  const parts: Part[] = [];
  const tried = (operand: Expr): Part => {
    const part = attemptPart(operand);
    parts.push(part);
    return part;
  };
  const branches = expr.branches.map(({ when, then }) => ({ when: tried(when), then: tried(then) }));
  const otherwise = expr.otherwise && tried(expr.otherwise);
  const value: Expr = {
    ...expr,
    branches: branches.map(({ when, then }) => ({ when: when.value, then: then.value })),
    otherwise: otherwise && otherwise.value,
  };
  const failing = branches.flatMap(({ when, then }) => [
    ...whenFailed(when),
    { when: when.value, then: anyOf(failuresOf(then)) ?? bool(false) },
  ]);
  const last = otherwise === null ? null : anyOf(failuresOf(otherwise));
  const failures = inBranches(parts, failing, last ?? bool(false));
  const isSame = children(expr).every((child, index) => parts[index]?.value === child);
  return { value: isSame ? expr : value, failures, causes: null };
}

function whenFailed(part: Part): CaseExpr['branches'] {
  const failed = anyOf(failuresOf(part));
  return failed === null ? [] : [{ when: failed, then: bool(true) }];
}

function inBranches(parts: readonly Part[], branches: CaseExpr['branches'], otherwise: Expr): readonly Expr[] {
  if (parts.every((part) => failuresOf(part).length === 0)) return [];
  return [{ kind: 'case', branches, otherwise, type: BOOL }];
}

function failuresOf({ value, failures, causes }: Part): readonly Expr[] {
  if (causes === null) return failures;
  const isNull = callOf('is_null', [value], BOOL);
  const present = causes.map((cause) => callOf('is_not_null', [cause], BOOL));
  return [...failures, present.length === 0 ? isNull : callOf('and', [isNull, ...present], BOOL)];
}

function anyOf(failures: readonly Expr[]): Expr | null {
  const [first, ...others] = distinct(failures);
  if (first === undefined) return null;
  return others.length === 0 ? first : callOf('or', [first, ...others], BOOL);
}

function distinct(exprs: readonly Expr[]): readonly Expr[] {
  return [...new Map(exprs.map((expr) => [expressionKey(expr), expr])).values()];
}

function isPresent(expr: Expr): boolean {
  return expr.kind === 'now' || (expr.kind === 'literal' && expr.value !== null);
}

function isTrue(expr: Expr): Expr {
  return callOf('is_true', [expr], BOOL);
}

function bool(value: boolean): Expr {
  return { kind: 'literal', type: BOOL, value };
}
