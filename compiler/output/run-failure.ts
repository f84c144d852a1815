/**
 * Failures that occur only while a query runs. The store raises one of these texts verbatim, and the store adapter
 * converts it to an error. They contain nothing of the caller or of a row.
 */
import type { ErrorCode } from '#contract/errors';
import { isKeyOf } from '#contract/records';
import {
  MAX_LINES,
  MAX_LIST_STEPS,
  MAX_PARTS,
  MAX_RECURSION_STEPS,
  MAX_ROW_LIST_LENGTH,
  MAX_TEXT_BYTES,
} from '../functions/limits';

/** Failures by the reason in the error. */
export const RUN_FAILURES = {
  text_too_long: {
    code: 'resource_limit',
    message: `a function made a text longer than ${MAX_TEXT_BYTES.toLocaleString('en-US')} bytes`,
  },
  too_many_parts: {
    code: 'resource_limit',
    message: `a function made more than ${MAX_PARTS.toLocaleString('en-US')} parts of a text`,
  },
  too_many_lines: {
    code: 'resource_limit',
    message: `a function made more than ${MAX_LINES.toLocaleString('en-US')} lines of JSON; leave its second argument out`,
  },
  slow_pattern: {
    code: 'resource_limit',
    message:
      'a pattern of LIKE or ILIKE with several %, or % before many characters, is longer than 1,024 bytes; use several conditions',
  },
  list_too_long: {
    code: 'resource_limit',
    message: `a list has more than ${MAX_ROW_LIST_LENGTH.toLocaleString('en-US')} elements`,
  },
  too_many_steps: {
    code: 'resource_limit',
    message: `lambdas take more than ${MAX_LIST_STEPS.toLocaleString('en-US')} steps for one row; shorten a list, as with ARRAY_FIRST_N(list, 100)`,
  },
  recursion_limit: {
    code: 'query_invalid',
    message: `a recursive query took more than ${MAX_RECURSION_STEPS} steps; end it with a condition in WHERE`,
  },
  interval_months: {
    code: 'query_invalid',
    message: 'a TIMESTAMP takes no interval with months or years; add it to DATETIME(x)',
  },
  list_step: { code: 'query_invalid', message: 'the step of a list must not be zero' },
  list_lengths: {
    code: 'query_invalid',
    message: 'lists of different lengths are zipped; the mode PAD or TRUNCATE allows it',
  },
  list_order: {
    code: 'query_invalid',
    message: 'the array must ascend, without NULL and NaN; SAFE.RANGE_BUCKET gives NULL instead',
  },
  negative_length: { code: 'query_invalid', message: 'a length must not be negative' },
  empty_pattern: { code: 'query_invalid', message: 'the pattern that fills a text must not be empty' },
  range_key: {
    code: 'query_invalid',
    message: 'the key of a RANGE frame is NaN, infinite or beyond 2^53; leave such rows out',
  },
  out_of_range: { code: 'query_invalid', message: 'a number is outside the range of its type or function' },
  bad_cast: {
    code: 'query_invalid',
    message: 'a value cannot be converted to the type that the query asks for; SAFE_CAST gives NULL instead',
  },
  bad_encoding: {
    code: 'query_invalid',
    message:
      'a text is no hexadecimal digits, no base64 or no IP address, or bytes are no address; with SAFE. the function gives NULL instead',
  },
  bad_json: {
    code: 'query_invalid',
    message: 'a text is not valid JSON, or has a number that FLOAT64 does not hold; SAFE.PARSE_JSON gives NULL instead',
  },
  bad_regex: { code: 'query_invalid', message: 'a pattern of LIKE ends with a backslash' },
  bad_time: { code: 'query_invalid', message: 'a value is not a valid time, or outside the range of times' },
  error_called: { code: 'query_invalid', message: 'ERROR was called with a text that is no constant, or NULL' },
  scalar_subquery: { code: 'query_invalid', message: 'a subquery used as a value returned more than one row' },
  time_out_of_range: { code: 'query_invalid', message: 'a time is outside the years 0001 to 9999' },
} as const satisfies Readonly<Record<string, { readonly code: ErrorCode; readonly message: string }>>;

export type RunFailure = keyof typeof RUN_FAILURES;

const PREFIX = 'log-query: ';

/** Text that the store raises. */
export function runFailureText(failure: RunFailure): string {
  return `${PREFIX}${failure}`;
}

/** Finds the failure in the store's message, which ends with the raised text and perhaps the number of its place. */
export function runFailureIn(message: string): RunFailure | undefined {
  const name = raisedIn(message)?.[1] ?? '';
  return isKeyOf(RUN_FAILURES, name) ? name : undefined;
}

/** Number of the place that a raised failure names. */
export function failurePlaceIn(message: string): number | undefined {
  const number = raisedIn(message)?.[2];
  return number === undefined ? undefined : Number(number);
}

function raisedIn(message: string): RegExpExecArray | null {
  const at = message.lastIndexOf(PREFIX);
  return at === -1 ? null : /^(\w+)(?: (\d{1,6}))?\s*$/.exec(message.slice(at + PREFIX.length));
}
