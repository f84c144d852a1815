/**
 * Translates failures of ClickHouse and its connection to errors of the service. Callers never see ClickHouse's text.
 */
import { ClickHouseError } from '@clickhouse/client';
import { type ErrorCode, type ErrorDetails, READ_LESS, ServiceError } from '#contract/errors';
import { failurePlaceIn, RUN_FAILURES, runFailureIn } from '#compiler/store';

interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails;
}

const RETRY_SOON = { retry_after_seconds: 2 };

function failure(code: ErrorCode, reason: string, message: string, details: ErrorDetails = {}): Failure {
  return { code, message, details: { reason, ...details } };
}

const NO_TIME = failure('query_timeout', 'time', 'the query was stopped before it was done');
const NO_MEMORY = failure('resource_limit', 'memory', 'the query needs more memory than it may use', {
  hint: READ_LESS,
});
const TOO_MUCH = failure('resource_limit', 'result_size', 'the result has more rows or bytes than it may have');
const BAD_LOGIN = failure('backend_unavailable', 'login', 'ClickHouse refuses the user or the password of the service');
const NO_RIGHT = failure('backend_unavailable', 'rights', 'the user of the service lacks a right in ClickHouse');
const NO_SCHEMA = failure('backend_unavailable', 'schema', 'the tables in ClickHouse are not those of this version', {
  hint: 'run "lqe store check"',
});
const NO_CLUSTER = failure('backend_unavailable', 'cluster', 'ClickHouse knows no such cluster', {
  hint: 'check LQE_CLICKHOUSE_CLUSTER',
});
const NO_SPACE = failure('backend_unavailable', 'disk_full', 'the disk of ClickHouse is full');
const PARTLY_DOWN = failure('backend_unavailable', 'cluster_down', 'a part of the cluster does not answer', RETRY_SOON);
const BUSY = failure('overloaded', 'busy', 'ClickHouse runs as many queries as it may', { retry_after_seconds: 1 });
const NO_QUOTA = failure('overloaded', 'quota', 'the user of the service has used its quota of ClickHouse', RETRY_SOON);
const NO_SETTING = failure(
  'backend_unavailable',
  'settings',
  'a profile of ClickHouse forbids a setting that queries of the service have',
  { hint: 'give the user of the service a profile that allows LQE_CLICKHOUSE_MEMORY_MB and LQE_CLICKHOUSE_MAX_SECONDS' }
);
const TOO_FAST = failure(
  'concurrency_limited',
  'ingest_pressure',
  'events come faster than ClickHouse can store them',
  {
    ...RETRY_SOON,
    hint: 'send the batch again later; events that arrive twice are stored once',
  }
);
const AWAY = failure('backend_unavailable', 'unreachable', 'ClickHouse does not answer', RETRY_SOON);
const NO_MEMORY_TO_STORE = failure(
  'backend_unavailable',
  'memory',
  'ClickHouse has too little memory to store the events',
  RETRY_SOON
);
const NO_TIME_TO_STORE = failure(
  'backend_unavailable',
  'time',
  'ClickHouse stopped the insert before the events were stored',
  RETRY_SOON
);
const NOT_STORED = failure('backend_error', 'not_stored', 'the store could not store the events');

const TOO_LARGE = failure(
  'query_too_complex',
  'too_complex',
  'the query is too large once its expressions are written out'
);

const TOO_LONG_A_VALUE = failure(
  'query_too_complex',
  'value_too_long',
  'a text that the query is asked with is longer than ClickHouse takes in one parameter',
  { hint: 'send less than 128 KiB; an operator can raise http_max_field_value_size of ClickHouse' }
);

/** Failures by ClickHouse's error code, which does not change between releases (`system.errors`). */
const BY_CODE: Readonly<Record<string, Failure>> = {
  159: NO_TIME,
  160: NO_TIME,
  394: NO_TIME,
  241: NO_MEMORY,
  173: NO_MEMORY,
  158: TOO_MUCH,
  191: TOO_MUCH,
  396: TOO_MUCH,
  307: TOO_MUCH,
  192: BAD_LOGIN,
  193: BAD_LOGIN,
  194: BAD_LOGIN,
  516: BAD_LOGIN,
  164: NO_RIGHT,
  497: NO_RIGHT,
  60: NO_SCHEMA,
  81: NO_SCHEMA,
  16: NO_SCHEMA,
  170: NO_CLUSTER,
  701: NO_CLUSTER,
  243: NO_SPACE,
  209: PARTLY_DOWN,
  210: PARTLY_DOWN,
  242: PARTLY_DOWN,
  279: PARTLY_DOWN,
  285: PARTLY_DOWN,
  286: PARTLY_DOWN,
  289: PARTLY_DOWN,
  319: PARTLY_DOWN,
  999: PARTLY_DOWN,
  198: PARTLY_DOWN,
  225: PARTLY_DOWN,
  254: PARTLY_DOWN,
  265: PARTLY_DOWN,
  297: PARTLY_DOWN,
  369: PARTLY_DOWN,
  519: PARTLY_DOWN,
  236: AWAY,
  202: BUSY,
  203: BUSY,
  439: BUSY,
  745: BUSY,
  201: NO_QUOTA,
  452: NO_SETTING,
  252: TOO_FAST,
  // Caused by the form of a query.
  167: TOO_LARGE,
  168: TOO_LARGE,
  306: TOO_LARGE,
  // Caused by the values of a query.
  69: failure('query_invalid', 'out_of_range', 'a number is outside the range of its type or function'),
  25: failure('query_invalid', 'bad_regex', 'a pattern of LIKE ends with a backslash'),
  128: failure('resource_limit', 'list_too_long', 'a list is longer than a function makes'),
  131: failure('resource_limit', 'text_too_long', 'a function made a text that is too long'),
  153: failure('query_invalid', 'division_by_zero', 'a number was divided by zero'),
  321: failure('query_invalid', 'out_of_range', 'a number is outside the range of its type or function'),
  407: failure('query_invalid', 'out_of_range', 'a number is outside the range of its type or function'),
  125: failure('query_invalid', 'scalar_subquery', 'a subquery used as a value returned more than one row'),
  427: failure('query_invalid', 'bad_regex', 'invalid regular expression'),
  6: failure(
    'query_invalid',
    'bad_cast',
    'a value cannot be converted to the type that the query asks for; SAFE_CAST gives NULL instead'
  ),
  27: failure(
    'query_invalid',
    'bad_cast',
    'a value cannot be converted to the type that the query asks for; SAFE_CAST gives NULL instead'
  ),
  70: failure('query_invalid', 'out_of_range', 'a number is outside the range of its type or function'),
  349: failure('query_invalid', 'bad_cast', 'a NULL stands where the query needs a value'),
  72: failure(
    'query_invalid',
    'bad_cast',
    'a value cannot be converted to the type that the query asks for; SAFE_CAST gives NULL instead'
  ),
  38: failure('query_invalid', 'bad_time', 'a value is not a valid time, or outside the range of times'),
  41: failure('query_invalid', 'bad_time', 'a value is not a valid time, or outside the range of times'),
};

/**
 * Codes after which a retry is safe: the statement was not run, or a second run is harmless, since an insert has a
 * deduplication token.
 */
const PASSING_CODES = new Set([
  '159',
  '173',
  '198',
  '202',
  '203',
  '209',
  '210',
  '225',
  '236',
  '241',
  '242',
  '252',
  '254',
  '265',
  '279',
  '285',
  '286',
  '297',
  '319',
  '425',
  '439',
  '519',
  '745',
  '999',
]);

/** Codes of a row that ClickHouse cannot parse or store: other rows may still be stored. */
const ROW_CODES = new Set([
  '6',
  '26',
  '27',
  '33',
  '38',
  '41',
  '53',
  '69',
  '70',
  '72',
  '117',
  '130',
  '131',
  '321',
  '349',
  '407',
  '441',
  '636',
]);

export function codeOf(error: unknown): string | undefined {
  if (error instanceof ClickHouseError) return error.code;
  // An error that the client cannot parse, e.g. because a proxy truncated it.
  return error instanceof Error ? /Code: (\d+)\. DB::Exception/.exec(error.message)?.[1] : undefined;
}

export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined) return PASSING_CODES.has(code);
  return !(error instanceof ServiceError) && !isBug(error);
}

/** True for a bug of the service. A truncated response is a SyntaxError, and not a bug. */
function isBug(error: unknown): error is Error {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
}

export function isFaultOfRow(error: unknown): boolean {
  return ROW_CODES.has(codeOf(error) ?? '');
}

/** @param isAborted true when the caller aborted: the failure is a consequence */
export function translateError(error: unknown, isAborted = false): Error {
  if (error instanceof ServiceError || isBug(error)) return error;
  const { code, message, details } = isAborted ? NO_TIME : failureOf(error);
  return new ServiceError(code, message, details, { cause: error });
}

/** Codes of errors that are the query's own, or without a reason. */
const OF_QUERIES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'query_invalid',
  'query_too_complex',
  'resource_limit',
  'query_timeout',
  'backend_error',
]);

/** Failures to store events that pass, by the reason of the query that would fail with them. */
const PASSING_WRITES: Readonly<Record<string, Failure>> = { memory: NO_MEMORY_TO_STORE, time: NO_TIME_TO_STORE };

/** Failure to store events: it is never the sender's, who would drop events that are refused. */
export function translateWriteError(error: unknown): Error {
  const translated = translateError(error);
  if (!(translated instanceof ServiceError) || !OF_QUERIES.has(translated.code)) return translated;
  const { code, message, details } = PASSING_WRITES[String(translated.details.reason)] ?? NOT_STORED;
  return new ServiceError(code, message, details, { cause: translated.cause ?? error });
}

export function tooLarge(): ServiceError {
  return new ServiceError(TOO_LARGE.code, TOO_LARGE.message, TOO_LARGE.details);
}

/** Error of a batch when too many batches are waiting. */
export function tooManyWaiting(): ServiceError {
  return new ServiceError(TOO_FAST.code, TOO_FAST.message, TOO_FAST.details);
}

/** Error code POCO_EXCEPTION, of the library that reads forms and URLs. */
const FORM_REFUSED = '1000';

/** Error code FUNCTION_THROW_IF_VALUE_IS_NON_ZERO. */
const THROWN = '395';

const OVERFLOWS: Readonly<Record<string, string>> = {
  plus: 'add',
  minus: 'sub',
  multiply: 'mul',
  negate: 'neg',
  abs: 'abs',
  intDivOrNull: 'int_div',
};

/** The operation that left the range of whole numbers, for the place of the failure. */
function overflowIn(text: string): { readonly operation?: string } {
  const name = /^[^']{0,200} while executing 'FUNCTION accurateCast\((\w+)\(/.exec(text)?.[1];
  const operation = OVERFLOWS[name ?? ''];
  return operation === undefined ? {} : { operation };
}

function failureOf(error: unknown): Failure {
  const text = error instanceof Error ? error.message : '';
  // Only for this code: other errors may quote the statement, which contains such texts, too.
  const thrown = codeOf(error) === THROWN ? (/log-query: \w+(?: \d+)?/.exec(text)?.[0] ?? '') : '';
  const raised = runFailureIn(thrown);
  if (raised !== undefined) {
    return { ...RUN_FAILURES[raised], details: { reason: raised, place: failurePlaceIn(thrown) } };
  }
  const code = codeOf(error);
  if (code === undefined) return AWAY;
  // This failure has no code of its own.
  if (/Max query size exceeded/.test(text)) return TOO_LARGE;
  if (code === FORM_REFUSED && text.includes('Field value too long')) return TOO_LONG_A_VALUE;
  const known = BY_CODE[code];
  if (known !== undefined) return { ...known, details: { ...known.details, ...overflowIn(text) } };
  return { code: 'backend_error', message: 'the store could not run the query', details: {} };
}
